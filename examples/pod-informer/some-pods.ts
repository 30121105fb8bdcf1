import type { New, ObjectMeta } from "trimtab/api";
import { Pod } from "trimtab/api/core/v1";
import type { Client } from "trimtab/client";

/** Something to be told of: Pods, one of them good, one with the label. */
export async function somePods(client: Client): Promise<void> {
  await client.create(Pod, pod({ name: "nodelocaldns" }));
  await client.create(Pod, pod({ name: "nginx", annotations: { app: "bjzdgt.com" } }));
  await client.create(Pod, pod({ name: "rook-ceph", labels: { test: "yes" } }));
}

/** A change to the good one. */
export async function aChange(client: Client): Promise<void> {
  await client.patch(Pod, "nginx", { merge: { metadata: { labels: { seen: "yes" } } } });
}

function pod(metadata: Partial<ObjectMeta>): New<Pod> {
  return { metadata, spec: { containers: [{ name: "main", image: "nginx:1.29" }] } };
}
