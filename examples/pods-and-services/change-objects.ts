import { Pod, Service } from "trimtab/api/core/v1";
import type { Client } from "trimtab/client";

/** Creates, changes and deletes a Pod and a Service. */
export async function changeObjects(client: Client): Promise<void> {
  const spec = { containers: [{ name: "main", image: "nginx:1.29" }] };
  await client.create(Pod, { metadata: { name: "web" }, spec });
  await client.create(Service, { metadata: { name: "shop" }, spec: { ports: [{ port: 80 }] } });
  const change = { merge: { metadata: { labels: { seen: "yes" } } } };
  await client.patch(Pod, "web", change);
  await client.patch(Service, "shop", change);
  await client.delete(Pod, "web", { graceSeconds: 0 });
  await client.delete(Service, "shop");
}
