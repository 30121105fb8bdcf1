import { controller, owns } from "trimtab";
import { Deployment } from "trimtab/api/apps/v1";
import { defineResource } from "trimtab/crd";
import { z } from "zod";

export const Website = defineResource({
  group: "example.dev",
  version: "v1",
  kind: "Website",
  spec: z.object({ image: z.string(), replicas: z.int32().min(0).default(1) }),
  status: z.object({ readyReplicas: z.int32() }),
});

export const websites = controller({
  for: Website,
  on: [owns(Deployment)],
  async reconcile(key, { client }) {
    const site = await client.get(Website, key);
    if (!site) return;
    const labels = { website: key.name };
    const template = {
      metadata: { labels },
      spec: { containers: [{ name: "web", image: site.spec.image }] },
    };
    const spec = { replicas: site.spec.replicas, selector: { matchLabels: labels }, template };
    const { status } = await client.apply(Deployment, { metadata: key, spec }, { owner: site });
    await client.applyStatus(Website, site, { readyReplicas: status?.readyReplicas ?? 0 });
  },
});
