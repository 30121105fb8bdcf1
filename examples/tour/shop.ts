import { Deployment } from "trimtab/api/apps/v1";
import { ConfigMap, Service } from "trimtab/api/core/v1";
import type { Client } from "trimtab/client";

/** Something to look at with kubectl: a Deployment, its Service and a ConfigMap. No controller makes Pods of it. */
export async function setUpShop(client: Client): Promise<void> {
  const labels = { app: "shop" };
  await client.apply(ConfigMap, { metadata: { name: "menu", labels }, data: { soup: "leek", bread: "rye" } });
  await client.apply(Deployment, {
    metadata: { name: "shop", labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "web", image: "nginx:1.29", ports: [{ containerPort: 80 }] }] },
      },
    },
  });
  await client.apply(Service, {
    metadata: { name: "shop", labels },
    spec: { selector: labels, ports: [{ port: 80 }] },
  });
}
