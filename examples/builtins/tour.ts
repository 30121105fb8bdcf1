import { ReplicaSet } from "trimtab/api/apps/v1";
import { Pod } from "trimtab/api/core/v1";
import type { Part } from "../perform.ts";
import { until } from "../until.ts";

/** Shows how ReplicaSets are labelled, and Pods annotated. */
export async function tour(guide: Part): Promise<void> {
  const { client, say } = guide;
  const labels = { app: "web" };
  const spec = { containers: [{ name: "web", image: "nginx:1.29" }] };
  const template = { metadata: { labels }, spec };
  say("> create the ReplicaSet web without labels");
  await client.create(ReplicaSet, {
    metadata: { name: "web" },
    spec: { replicas: 1, selector: { matchLabels: labels }, template },
  });
  await until(guide, ReplicaSet, { name: "web", holds: greeted });
  say("  it has the label hello: world");

  say("> remove the label");
  await client.patch(ReplicaSet, "web", { merge: { metadata: { labels: { hello: null } } } });
  await until(guide, ReplicaSet, { name: "web", holds: greeted });
  say("  it has the label again");

  say("> create the Pod web without annotations");
  const { metadata } = await client.create(Pod, { metadata: { name: "web" }, spec });
  const [annotation = ["", ""]] = Object.entries(metadata.annotations ?? {});
  say(`  the webhook has added the annotation ${annotation.join(": ")}`);
}

export const goOn: readonly string[] = [
  "kubectl get replicasets --show-labels",
  "kubectl label replicaset web hello-            # the controller adds the label again",
  "kubectl run hello --image=nginx:1.29 && kubectl get pod hello --output=yaml",
];

function greeted({ metadata }: ReplicaSet): boolean {
  return metadata.labels?.hello === "world";
}
