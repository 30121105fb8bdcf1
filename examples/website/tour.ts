import { Deployment } from "trimtab/api/apps/v1";
import type { Part } from "../perform.ts";
import { until } from "../until.ts";
import { Website } from "./website.ts";

/** Shows how a website is deployed. */
export async function tour(guide: Part): Promise<void> {
  const { client, say } = guide;
  const replicas = (count: number) => ({
    name: "docs",
    holds: ({ spec }: Deployment) => spec.replicas === count,
  });
  say("> create the Website docs with 2 replicas");
  await client.create(Website, { metadata: { name: "docs" }, spec: { image: "nginx:1.29", replicas: 2 } });
  await until(guide, Deployment, replicas(2));
  say("  it has a Deployment with 2 replicas");

  say("> scale the Deployment to 9 by hand");
  await client.patch(Deployment, "docs", { merge: { spec: { replicas: 9 } } });
  await until(guide, Deployment, replicas(2));
  say("  the controller scales it back");

  say("> set both to ready");
  const status = { replicas: 2, readyReplicas: 2 };
  await client.patch(Deployment, "docs", { merge: { status } }, { subresource: "status" });
  await until(guide, Website, { name: "docs", holds: (site) => site.status?.readyReplicas === 2 });
  say("  the status of the Website has 2 ready replicas");
}

export const goOn: readonly string[] = [
  "kubectl get websites,deployments",
  `kubectl patch website docs --type merge --patch '{"spec":{"replicas":4}}'`,
];
