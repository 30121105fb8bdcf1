import { ReplicaSet } from "trimtab/api/apps/v1";
import type { Part } from "../perform.ts";
import { until } from "../until.ts";

/** What a person would do to see ReplicaSets greeted. */
export async function tour(guide: Part): Promise<void> {
  const { client, say } = guide;
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx:1.29" }] } };
  say("> make the ReplicaSet web, without labels");
  await client.create(ReplicaSet, {
    metadata: { name: "web" },
    spec: { replicas: 1, selector: { matchLabels: labels }, template },
  });
  await until(guide, ReplicaSet, { name: "web", holds: greeted });
  say("  it has the label hello: world");

  say("> take the label off");
  await client.patch(ReplicaSet, "web", { merge: { metadata: { labels: { hello: null } } } });
  await until(guide, ReplicaSet, { name: "web", holds: greeted });
  say("  it is back");
}

export const goOn: readonly string[] = [
  "kubectl get replicasets --show-labels",
  "kubectl label replicaset web hello-            # and see it labelled again",
];

function greeted({ metadata }: ReplicaSet): boolean {
  return metadata.labels?.hello === "world";
}
