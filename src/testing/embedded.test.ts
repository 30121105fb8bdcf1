import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { kind } from "../api/index.ts";
import { SelfSubjectReview } from "../api/types/authentication/v1.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import { seededRng, VirtualClock } from "../base/index.ts";
import { connect } from "../client/index.ts";
import { startCluster } from "./start-cluster.ts";

const menu = { metadata: { name: "menu" }, data: { soup: "leek" } };

test("an embedded cluster stores objects and reports their changes", async () => {
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

test("concurrent applies of an absent object create it once with every manager's fields", async () => {
  await using cluster = await startCluster();
  const parts = ["a", "b", "c", "d"];
  await Promise.all(
    parts.map((part) =>
      cluster.client.apply(
        ConfigMap,
        { metadata: { name: "menu" }, data: { [part]: "1" } },
        { fieldManager: part },
      ),
    ),
  );
  const data = { a: "1", b: "1", c: "1", d: "1" };
  expect((await cluster.client.get(ConfigMap, "menu"))?.data).toEqual(data);
});

test("hundreds of clusters in one process are isolated from each other", async () => {
  const names = Array.from({ length: 300 }, (_, index) => `menu-${index}`);
  const clusters = await Promise.all(names.map(() => startCluster()));
  await Promise.all(
    clusters.map(({ client }, at) => client.create(ConfigMap, { metadata: { name: `menu-${at}` } })),
  );
  const found = await Promise.all(clusters.map(({ client }) => client.list(ConfigMap)));
  expect(found.map((objects) => objects.map(({ metadata }) => metadata.name))).toEqual(
    names.map((name) => [name]),
  );
  await Promise.all(clusters.map((cluster) => cluster.close()));
});

test("a listening cluster is reachable through its kubeconfig, which is removed on close", async () => {
  const cluster = await startCluster({ engine: "embedded", listen: true });
  const { kubeconfig } = cluster;
  await using other = await connect({ kubeconfig });
  await other.create(ConfigMap, menu);
  expect((await cluster.client.get(ConfigMap, "default/menu"))?.data).toEqual({ soup: "leek" });
  await cluster.close();
  expect(existsSync(kubeconfig)).toBe(false);
  await expect(other.get(ConfigMap, "menu")).rejects.toThrow("ECONNREFUSED");
});

test("a cluster that does not listen has no kubeconfig", async () => {
  await using cluster = await startCluster({ engine: "embedded" });
  expect(() => cluster.kubeconfig).toThrow("start it with listen: true");
});

async function whoIs(kubeconfig: string): Promise<unknown> {
  await using client = await connect({ kubeconfig });
  const { status } = await client.create(SelfSubjectReview, { metadata: {} });
  return [status?.userInfo?.username, status?.userInfo?.groups];
}

test("each user has its own kubeconfig, with a token or a certificate", async () => {
  const users = [
    { name: "ana", groups: ["readers"] },
    { name: "cora", groups: ["g1", "g2"], credential: "certificate" },
  ] as const;
  await using cluster = await startCluster({ listen: true, users });
  expect(
    await Promise.all(["ana", "cora", "admin"].map((user) => whoIs(cluster.kubeconfigOf(user)))),
  ).toEqual([
    ["ana", ["readers", "system:authenticated"]],
    ["cora", ["g1", "g2", "system:authenticated"]],
    ["admin", ["system:masters", "system:authenticated"]],
  ]);
  expect(() => cluster.kubeconfigOf("ben")).toThrow('expected one of the users admin, ana, cora, got "ben"');
});

test("two users with the same name are refused", async () => {
  await expect(startCluster({ users: [{ name: "admin" }] })).rejects.toThrow('got "admin" twice');
});

const definition = {
  metadata: { name: "websites.example.dev" },
  spec: {
    group: "example.dev",
    scope: "Namespaced",
    names: { plural: "websites", kind: "Website" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};
const Website = kind({ group: "example.dev", version: "v1", kind: "Website" });

test.each([
  ["a definition", definition],
  [
    "an object with toCustomResourceDefinition",
    { toCustomResourceDefinition: () => ({ ...definition, kind: "", apiVersion: "" }) as never },
  ],
])("a kind is served from the start, given by %s", async (_, given) => {
  await using cluster = await startCluster({ kinds: [given] });
  const made = await cluster.client.create(Website, { metadata: { name: "docs" } });
  expect(await cluster.client.get(Website, "docs")).toEqual(made);
});

test("a definition that the server rejects fails the start with the server's reason", async () => {
  const wrong = { ...definition, metadata: { name: "sites.example.dev" } };
  await expect(startCluster({ kinds: [wrong] })).rejects.toThrow('must be spec.names.plural+"."+spec.group');
  await expect(startCluster({ kinds: [{ metadata: {} }] as never })).rejects.toThrow(
    "expected a CustomResourceDefinition with metadata.name and spec, got",
  );
});

test("faults apply with and without a socket, and not before the cluster is ready", async () => {
  await using cluster = await startCluster({
    listen: true,
    kinds: [definition],
    faults: [{ on: { resource: "configmaps" }, fault: { type: "refuse", code: 500 } }],
  });
  await using other = await connect({ kubeconfig: cluster.kubeconfig });
  await expect(cluster.client.get(ConfigMap, "menu")).rejects.toThrow("got 500");
  await expect(other.get(ConfigMap, "menu")).rejects.toThrow("got 500");
});

test("clusters with the same seed and time generate the same names, times and uids", async () => {
  const made = async (): Promise<unknown> => {
    await using cluster = await startCluster({ clock: new VirtualClock(), rng: seededRng(7) });
    const { metadata } = await cluster.client.create(ConfigMap, { metadata: { generateName: "menu-" } });
    return [metadata.name, metadata.uid, metadata.creationTimestamp];
  };
  expect(await made()).toEqual(await made());
});

test("a process exits by itself once its clusters are closed", () => {
  const module = JSON.stringify(new URL("./index.ts", import.meta.url).href);
  const script = `
    const { startCluster } = await import(${module});
    const inside = await startCluster();
    const listening = await startCluster({ listen: true });
    await listening.client.version();
    await inside.close();
    await listening.close();`;
  const loader = createRequire(import.meta.url).resolve("tsx");
  const args = ["--import", loader, "--input-type=module", "--eval", script];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 50_000 });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
