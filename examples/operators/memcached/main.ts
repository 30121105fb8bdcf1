// Runs the operator of Memcacheds until Ctrl-C.
import { isTrue } from "trimtab/api";
import { Deployment } from "trimtab/api/apps/v1";
import { managed, type Part, perform } from "../../perform.ts";
import { until } from "../../until.ts";
import { Memcached, memcacheds } from "./memcached.ts";

async function tour(guide: Part): Promise<void> {
  const { client, say } = guide;
  say("> create the Memcached sessions with 2 replicas");
  await client.create(Memcached, { metadata: { name: "sessions" }, spec: { size: 2 } });
  await until(guide, Deployment, { name: "sessions", holds: ({ spec }) => spec.replicas === 2 });
  say("  it has a Deployment with 2 replicas");

  say("> set one of them to ready");
  await client.patchStatus(Deployment, "sessions", { replicas: 2, readyReplicas: 1 });
  const holds = ({ status }: Memcached): boolean => isTrue(status?.conditions, "Available");
  const { status } = await until(guide, Memcached, { name: "sessions", holds });
  for (const { type, status: is, message } of status?.conditions ?? []) say(`  ${type} is ${is}: ${message}`);
}

const kubectl = [
  "kubectl get memcacheds,deployments,services",
  "kubectl get configmap memcached-directory --output yaml",
  "kubectl delete memcached sessions              # its address is removed from the directory",
];
const run = managed([memcacheds]);
await perform({ title: "An operator of Memcacheds", kinds: [Memcached], run, tour, kubectl });
