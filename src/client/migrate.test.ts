import { expect, test } from "vitest";
import type { Kind } from "../api/index.ts";
import { CustomResourceDefinition } from "../api/types/apiextensions/v1.ts";
import { Pod } from "../api/types/core/v1.ts";
import { type Cluster, startCluster } from "../testing/index.ts";
import type { Client, MigrateProgress } from "./index.ts";

const group = "example.dev";
const name = `sites.${group}`;
const names = { kind: "Site", plural: "sites" };
const site = { group, kind: "Site", plural: "sites", namespaced: true };
const v1: Kind = { ...site, version: "v1" };
const v2: Kind = { ...site, version: "v2" };

/** Returns the definition of a kind with two versions. */
function definition(stored: "v1" | "v2") {
  const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true as const };
  const versions = ["v1", "v2"].map((version) => ({
    name: version,
    served: true,
    storage: version === stored,
    schema: { openAPIV3Schema },
  }));
  return { metadata: { name }, spec: { group, names, scope: "Namespaced", versions } };
}

/** Returns a cluster with objects that are stored in `v1` and have the storage version `v2` now. */
async function clusterWith(...objects: readonly string[]): Promise<Cluster> {
  const cluster = await startCluster({ kinds: [definition("v1")] });
  for (const each of objects) await cluster.client.create(v1, { metadata: { name: each } });
  await cluster.client.patch(CustomResourceDefinition, name, { merge: { spec: definition("v2").spec } });
  return cluster;
}

async function storedVersions({ client }: Cluster): Promise<readonly string[] | undefined> {
  return (await client.get(CustomResourceDefinition, name))?.status?.storedVersions;
}

async function resourceVersions({ client }: Cluster): Promise<Record<string, string>> {
  const found = await client.list(v2);
  return Object.fromEntries(found.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
}

test("all objects are rewritten in the storage version, with progress, and the old version is removed", async () => {
  await using cluster = await clusterWith("a", "b", "c");
  const before = await resourceVersions(cluster);
  expect(await storedVersions(cluster)).toEqual(["v1", "v2"]);
  const progress: MigrateProgress[] = [];
  const migration = await cluster.client.migrate(v1, {
    pageSize: 2,
    onProgress: (each) => progress.push(each),
  });
  expect(migration).toEqual({ storageVersion: "v2", migrated: 3, removedVersions: ["v1"] });
  expect(progress).toEqual([0, 1, 2, 3].map((migrated) => ({ migrated, total: 3 })));
  expect(await storedVersions(cluster)).toEqual(["v2"]);
  const after = await resourceVersions(cluster);
  expect(Object.keys(after).filter((each) => after[each] === before[each])).toEqual([]);
  // The old version can be removed now.
  const versions = definition("v2").spec.versions.slice(1);
  const { spec } = await cluster.client.patch(CustomResourceDefinition, name, {
    merge: { spec: { versions } },
  });
  expect(spec.versions.map((each) => each.name)).toEqual(["v2"]);
  expect(Object.keys(await resourceVersions(cluster))).toEqual(["a", "b", "c"]);
});

test("a second migration has nothing to do", async () => {
  await using cluster = await clusterWith("a");
  await cluster.client.migrate(v2);
  const before = await resourceVersions(cluster);
  expect(await cluster.client.migrate(v2)).toEqual({
    storageVersion: "v2",
    migrated: 0,
    removedVersions: [],
  });
  expect(await resourceVersions(cluster)).toEqual(before);
});

test("an unchanged write does not store an object that has the storage version", async () => {
  await using cluster = await clusterWith("a");
  await cluster.client.migrate(v2);
  const before = await resourceVersions(cluster);
  for (const kind of [v1, v2]) await cluster.client.patch(kind, "a", { merge: {} });
  expect(await resourceVersions(cluster)).toEqual(before);
});

/** Returns the same client, which calls `before` before the first patch of an object. */
function interrupted(client: Client, before: () => Promise<unknown>): Client {
  let called = false;
  return client.through(({ server, send, open, close, ...rest }) => ({
    ...rest,
    server,
    open,
    close,
    async send(request) {
      if (request.method === "PATCH" && !called) {
        called = true;
        await before();
      }
      return send(request);
    },
  }));
}

test("objects that other clients write or delete in the meantime are done", async () => {
  await using cluster = await clusterWith("a", "b", "c");
  const { client } = cluster;
  const disturbed = interrupted(client, async () => {
    await client.delete(v2, "b");
    await client.patch(v2, "c", { merge: { spec: { changed: true } } });
  });
  expect(await disturbed.migrate(v2, { concurrency: 1 })).toMatchObject({ migrated: 3 });
  expect(await storedVersions(cluster)).toEqual(["v2"]);
});

test("a failure keeps the old version, and the migration can be repeated", async () => {
  await using cluster = await clusterWith("a", "b");
  const failure = new Error("the disk is full");
  const failing = interrupted(cluster.client, () => Promise.reject(failure));
  await expect(failing.migrate(v2)).rejects.toBe(failure);
  expect(await storedVersions(cluster)).toEqual(["v1", "v2"]);
  expect(await failing.migrate(v2)).toMatchObject({ migrated: 2 });
  expect(await storedVersions(cluster)).toEqual(["v2"]);
});

test("an aborted migration stops and keeps the old version", async () => {
  await using cluster = await clusterWith("a", "b", "c");
  const stop = new AbortController();
  const reason = new Error("stopped");
  const migrating = cluster.client.migrate(v2, {
    signal: stop.signal,
    concurrency: 1,
    onProgress: ({ migrated }) => migrated === 1 && stop.abort(reason),
  });
  await expect(migrating).rejects.toBe(reason);
  expect(await storedVersions(cluster)).toEqual(["v1", "v2"]);
});

test("a storage version that changes during the migration is an error, and both versions stay", async () => {
  await using cluster = await clusterWith("a");
  const { client } = cluster;
  const merge = { spec: definition("v1").spec };
  const changing = interrupted(client, () => client.patch(CustomResourceDefinition, name, { merge }));
  await expect(changing.migrate(v2)).rejects.toThrow(
    "the storage version of sites.example.dev changed from v2 to v1 during the migration: run it again",
  );
  expect(await storedVersions(cluster)).toEqual(["v1", "v2"]);
});

test.each<[string, (cluster: Cluster) => Promise<unknown>, string]>([
  [
    "a built-in kind",
    ({ client }) => client.migrate(Pod),
    "expected a custom kind, got v1 Pod: there is no CustomResourceDefinition pods.",
  ],
  [
    "a client for one namespace",
    ({ client }) => client.inNamespace("web").migrate(v2),
    "expected a client for all namespaces for migrate of example.dev/v2 Site, got one restricted to web",
  ],
])("%s is refused", async (_, migrate, message) => {
  await using cluster = await clusterWith();
  await expect(migrate(cluster)).rejects.toThrow(new TypeError(message));
});
