import { Deployment } from "trimtab/api/apps/v1";
import { startCluster } from "trimtab/testing";
import { expect, test } from "vitest";
import { Lines } from "../stage.ts";
import { tour } from "./tour.ts";
import { Website, websites } from "./website.ts";

test("a website gets a deployment, and its status follows", async () => {
  await using cluster = await startCluster({ kinds: [Website] });
  const { client } = cluster;
  await cluster.run({ controllers: [websites] });
  await client.create(Website, { metadata: { name: "docs" }, spec: { image: "nginx:1.29", replicas: 2 } });

  const deployment = await cluster.eventually(async () => {
    const found = await client.get(Deployment, "docs");
    expect(found?.spec.replicas).toBe(2);
    return found;
  });
  expect(deployment?.metadata.ownerReferences?.[0]).toMatchObject({
    kind: "Website",
    name: "docs",
    controller: true,
  });

  const status = { replicas: 2, readyReplicas: 2 };
  await client.patch(Deployment, "docs", { merge: { status } }, { subresource: "status" });
  await cluster.eventually(async () => {
    expect((await client.get(Website, "docs"))?.status).toEqual({ readyReplicas: 2 });
  });
});

test("the tour shows it", async ({ signal }) => {
  await using cluster = await startCluster({ kinds: [Website] });
  await cluster.run({ controllers: [websites] });
  const lines = new Lines();
  await tour({ client: cluster.client, say: lines.say, signal });
  expect(lines.all).toEqual([
    "> create the Website docs with 2 replicas",
    "  it has a Deployment with 2 replicas",
    "> scale the Deployment to 9 by hand",
    "  the controller scales it back",
    "> set both to ready",
    "  the status of the Website has 2 ready replicas",
  ]);
});
