import { Pod } from "trimtab/api/core/v1";
import type { Client } from "trimtab/client";
import type { Lines } from "../stage.ts";

/** A Pod that is good, one that is broken until it is given up, and is mended then, and an end. */
export async function someWork(client: Client, lines: Lines): Promise<void> {
  const spec = { containers: [{ name: "main", image: "nginx:1.29" }] };
  await client.create(Pod, { metadata: { name: "good" }, spec });
  await lines.told("Sync of Pod default/good");
  await client.create(Pod, { metadata: { name: "bad", labels: { broken: "yes" } }, spec });
  await lines.told("giving default/bad up");
  await client.patch(Pod, "bad", { merge: { metadata: { labels: { broken: null } } } });
  await lines.told("Sync of Pod default/bad");
  await client.delete(Pod, "good", { graceSeconds: 0 });
  await lines.told("Pod default/good is going or gone");
}
