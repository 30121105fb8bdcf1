import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { connect } from "../client/index.ts";
import { startCluster } from "./start-cluster.ts";

const menu = { metadata: { name: "menu" }, data: { soup: "leek" } };

test("a cluster in this process takes objects and tells of their changes", async () => {
  await using cluster = await startCluster({ engine: "embedded" });
  const made = await cluster.client.create(ConfigMap, menu);
  const changes = cluster.client.watch(ConfigMap, { resourceVersion: made.metadata.resourceVersion });
  await cluster.client.update(ConfigMap, { ...made, data: { soup: "onion" } });
  await cluster.client.delete(ConfigMap, "menu");

  const seen: unknown[] = [];
  for await (const change of changes) {
    if (change.type === "bookmark") continue;
    seen.push([change.type, change.object.data]);
    if (change.type === "deleted") break;
  }
  expect(seen).toEqual([
    ["modified", { soup: "onion" }],
    ["deleted", { soup: "onion" }],
  ]);
});

test("clusters side by side know nothing of each other", async () => {
  const clusters = await Promise.all(Array.from({ length: 50 }, () => startCluster({ engine: "embedded" })));
  await clusters[0]?.client.create(ConfigMap, menu);
  const found = await Promise.all(clusters.map(({ client }) => client.get(ConfigMap, "menu")));
  expect(found.map((object) => object !== undefined)).toEqual([true, ...Array(49).fill(false)]);
  await Promise.all(clusters.map((cluster) => cluster.close()));
});

test("a cluster that listens is reached by its kubeconfig, which goes with it", async () => {
  const cluster = await startCluster({ engine: "embedded", listen: true });
  const { kubeconfig } = cluster;
  await using other = await connect({ kubeconfig });
  await other.create(ConfigMap, menu);
  expect((await cluster.client.get(ConfigMap, "default/menu"))?.data).toEqual({ soup: "leek" });
  await cluster.close();
  expect(existsSync(kubeconfig)).toBe(false);
  await expect(other.get(ConfigMap, "menu")).rejects.toThrow("ECONNREFUSED");
});

test("a cluster that does not listen has no kubeconfig to give", async () => {
  await using cluster = await startCluster({ engine: "embedded" });
  expect(() => cluster.kubeconfig).toThrow("start it with listen: true");
});
