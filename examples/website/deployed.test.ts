import { Deployment } from "trimtab/api/apps/v1";
import { startCluster } from "trimtab/testing";
import { expect, test } from "vitest";
import { Website, websites } from "./website.ts";

test("a website is deployed", async () => {
  await using cluster = await startCluster({ kinds: [Website] });
  await cluster.run({ controllers: [websites] });
  await cluster.client.create(Website, { metadata: { name: "docs" }, spec: { image: "nginx", replicas: 2 } });
  await cluster.eventually(async () => {
    expect((await cluster.client.get(Deployment, "docs"))?.spec.replicas).toBe(2);
  });
});
