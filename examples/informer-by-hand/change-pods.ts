import type { New } from "trimtab/api";
import { Pod } from "trimtab/api/core/v1";
import type { Client } from "trimtab/client";
import type { Lines } from "../stage.ts";

/** Creates a Pod before the informer starts. */
export async function createFirst(client: Client): Promise<void> {
  await client.create(Pod, podOn("worker-1", "first"));
}

/** Creates, changes and deletes Pods while the informer runs. Each step waits for the worker. */
export async function changePods(client: Client, lines: Lines): Promise<void> {
  await lines.printed("Sync of Pod default/first: no color, Pods on worker-1: 1");
  await client.create(Pod, podOn("worker-1", "second"));
  await lines.printed("Sync of Pod default/second: no color, Pods on worker-1: 2");
  await client.patch(Pod, "second", { merge: { metadata: { labels: { color: "green" } } } });
  await lines.printed("Sync of Pod default/second: green, Pods on worker-1: 2");
  await client.delete(Pod, "first", { graceSeconds: 0 });
  await lines.printed("OnDelete default/first");
  await lines.printed("Sync of Pod default/first: terminating or deleted");
}

function podOn(nodeName: string, name: string): New<Pod> {
  return { metadata: { name }, spec: { nodeName, containers: [{ name: "main", image: "nginx:1.29" }] } };
}
