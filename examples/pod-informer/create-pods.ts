import type { New, ObjectMeta } from "trimtab/api";
import { Pod } from "trimtab/api/core/v1";
import type { Client } from "trimtab/client";

/** Creates Pods, one of them with the annotation and one with the label. */
export async function createPods(client: Client): Promise<void> {
  await client.create(Pod, pod({ name: "nodelocaldns" }));
  await client.create(Pod, pod({ name: "nginx", annotations: { app: "bjzdgt.com" } }));
  await client.create(Pod, pod({ name: "rook-ceph", labels: { test: "yes" } }));
}

/** Changes the Pod with the annotation. */
export async function changePod(client: Client): Promise<void> {
  await client.patch(Pod, "nginx", { merge: { metadata: { labels: { seen: "yes" } } } });
}

function pod(metadata: Partial<ObjectMeta>): New<Pod> {
  return { metadata, spec: { containers: [{ name: "main", image: "nginx:1.29" }] } };
}
