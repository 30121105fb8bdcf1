import { ReplicaSet } from "trimtab/api/apps/v1";
import { Pod } from "trimtab/api/core/v1";
import type { Part } from "../perform.ts";
import { until } from "../until.ts";

/** Shows how Pods are created. */
export async function tour(guide: Part): Promise<void> {
  const { client, say } = guide;
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx:1.29" }] } };
  const spec = { replicas: 1, selector: { matchLabels: labels }, template };
  const pods = (count: number) => ({
    name: "web",
    holds: ({ status }: ReplicaSet) => status?.replicas === count,
  });

  say("> create the ReplicaSet web with 1 replica");
  await client.create(ReplicaSet, { metadata: { name: "web" }, spec });
  await until(guide, ReplicaSet, pods(1));
  say("  it has 1 Pod");

  say("> scale it to 2");
  await client.patch(ReplicaSet, "web", { merge: { spec: { replicas: 2 } } });
  await until(guide, ReplicaSet, pods(2));
  say("  it has 2 Pods");

  say("> delete one of them");
  const before = await client.list(Pod);
  const known = new Set(before.map(({ metadata }) => metadata.uid));
  await client.delete(Pod, before[0]?.metadata.name ?? "");
  await until(guide, Pod, { holds: ({ metadata }) => !known.has(metadata.uid) });
  say("  another one is created");
}

export const goOn: readonly string[] = [
  "kubectl get replicasets,pods",
  "kubectl scale replicaset web --replicas 5",
];
