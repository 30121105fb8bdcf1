import { Pod } from "trimtab/api/core/v1";
import type { Client } from "trimtab/client";
import type { Lines } from "../stage.ts";

/**
 * Creates a good Pod and a broken one, repairs the broken one after the worker has given up, and deletes the good one.
 */
export async function createWork(client: Client, lines: Lines): Promise<void> {
  const spec = { containers: [{ name: "main", image: "nginx:1.29" }] };
  await client.create(Pod, { metadata: { name: "good" }, spec });
  await lines.printed("Sync of Pod default/good");
  await client.create(Pod, { metadata: { name: "bad", labels: { broken: "yes" } }, spec });
  await lines.printed("giving up on default/bad");
  await client.patch(Pod, "bad", { merge: { metadata: { labels: { broken: null } } } });
  await lines.printed("Sync of Pod default/bad");
  await client.delete(Pod, "good", { graceSeconds: 0 });
  await lines.printed("Pod default/good is terminating or deleted");
}
