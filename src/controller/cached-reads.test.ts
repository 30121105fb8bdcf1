import { expect, test } from "vitest";
import { type KubeObject, keyOf, kind, metadataOnly } from "../api/index.ts";
import { Deployment } from "../api/types/apps/v1.ts";
import { ConfigMap, Namespace, Pod, Secret } from "../api/types/core/v1.ts";
import type { FaultRule } from "../testing/index.ts";
import { Controlled } from "./controlled.fixture.ts";
import { controller, owns } from "./index.ts";

/** The server responds to no list or get of ConfigMaps, so reads come from the cache. */
const noReads: readonly FaultRule[] = (["get", "list"] as const).map((verb) => ({
  on: { verb, resource: "configmaps" },
  fault: { type: "refuse", code: 500 },
}));

/** ConfigMaps in three namespaces, watched in some of them. */
async function watching(...namespaces: readonly string[]): Promise<Controlled> {
  const world = await Controlled.start({ faults: noReads });
  for (const namespace of ["a", "b", "c"]) {
    await world.live.create(Namespace, { metadata: { name: namespace } });
    for (const app of ["web", "db"])
      await world.live.create(ConfigMap, { metadata: { namespace, name: app, labels: { app } } });
  }
  await world.run(
    controller({ name: "configmap", for: ConfigMap, view: { namespaces }, reconcile: async () => {} }),
  );
  return world;
}

const keys = (objects: readonly KubeObject[]): string => objects.map(keyOf).sort().join(" ");

test("a cache of all, several or one namespace is read by namespace, by labels, and by both", async () => {
  const labels = { app: "web" };
  const seen: string[][] = [];
  for (const namespaces of [[], ["a", "b"], ["a"]]) {
    await using world = await watching(...namespaces);
    const { client } = world.environment;
    seen.push([
      keys(await client.list(ConfigMap)),
      keys(await client.list(ConfigMap, { labels })),
      keys(await client.list(ConfigMap, { namespace: "a" })),
      keys(await client.list(ConfigMap, { namespace: "a", labels: "app notin (web)" })),
      keys(await client.list(ConfigMap, { labels: { app: "none" } })),
    ]);
  }
  expect(seen).toEqual([
    ["a/db a/web b/db b/web c/db c/web", "a/web b/web c/web", "a/db a/web", "a/db", ""],
    ["a/db a/web b/db b/web", "a/web b/web", "a/db a/web", "a/db", ""],
    ["a/db a/web", "a/web", "a/db a/web", "a/db", ""],
  ]);
});

test("an object that is read has its apiVersion and kind, and may be changed by the reader", async () => {
  await using world = await watching();
  const { client } = world.environment;
  const read = async (): Promise<(ConfigMap | undefined)[]> => [
    await client.get(ConfigMap, "a/web"),
    ...(await client.list(ConfigMap, { namespace: "a", labels: { app: "web" } })),
  ];
  const [one, another] = await read();
  expect([one?.apiVersion, one?.kind]).toEqual(["v1", "ConfigMap"]);
  expect(another).toEqual(one);
  const before = structuredClone(one);
  for (const map of [one, another]) Object.assign(map?.metadata.labels ?? {}, { app: "spoilt" });
  expect(await read()).toEqual([before, before]);
});

test("an object that is missing in a complete cache is absent, without a request", async () => {
  await using world = await watching();
  const { client } = world.environment;
  expect(await client.get(ConfigMap, "a/none")).toBeUndefined();
  expect(await client.list(ConfigMap, { namespace: "nowhere" })).toEqual([]);
});

test("whole objects and their metadata have separate caches: the form that is not watched is read from the server", async () => {
  await using world = await Controlled.start();
  await world.live.create(ConfigMap, { metadata: { name: "a" }, data: { key: "1" } });
  const Metadata = metadataOnly(ConfigMap);
  const reconcile = async (): Promise<void> => {};
  const [running] = await world.run(controller({ name: "whole", for: ConfigMap, reconcile }));
  const { client, cache } = world.environment;
  const kinds = async (): Promise<unknown[]> => {
    const [whole, metadata] = [await client.get(ConfigMap, "a"), await client.get(Metadata, "a")];
    return [whole?.kind, whole?.data, metadata?.kind, "data" in (metadata ?? {})];
  };
  const both = ["ConfigMap", { key: "1" }, "PartialObjectMetadata", false];
  expect(await kinds()).toEqual(both);
  expect(() => cache.of(Metadata)).toThrow("expected a kind that a controller watches (v1 ConfigMap)");
  await running?.close();
  await world.run(controller({ name: "metadata", for: Metadata, reconcile }));
  expect(await kinds()).toEqual(both);
  expect(cache.of(Metadata).get("default/a")?.metadata.name).toBe("a");
  expect(() => cache.of(ConfigMap)).toThrow("expected a kind whose objects are cached, got v1 ConfigMap");
});

test("an undiscovered kind is read from the cache of the same kind", async () => {
  await using world = await watching();
  const Named = kind({ group: "", version: "v1", kind: "ConfigMap" });
  const found = await world.environment.client.get(Named, "a/web");
  expect([found?.kind, found?.metadata.name]).toEqual(["ConfigMap", "web"]);
});

/** Watches of the resource deliver nothing after the initial events. */
function silent(resource: string): FaultRule {
  return { on: { verb: "watch", resource }, fault: { type: "freeze", afterEvents: 1 } };
}

test("a metadata-only cache contains own writes of whole objects before the watch delivers them", async () => {
  await using world = await Controlled.start({ faults: [silent("secrets")] });
  const owner = await world.live.create(ConfigMap, { metadata: { name: "a" } });
  const Metadata = metadataOnly(Secret);
  await world.run(
    controller({ name: "configmap", for: ConfigMap, on: [owns(Metadata)], reconcile: async () => {} }),
  );
  const { client, cache } = world.environment;
  const seen = async (): Promise<unknown[]> => [
    (await client.get(Metadata, "child"))?.metadata.labels,
    (await client.list(Metadata)).map(({ kind }) => kind),
    cache.owned(Metadata, owner).length,
  ];
  const child = await client.create(
    Secret,
    { metadata: { name: "child", labels: { step: "1" } } },
    { owner },
  );
  expect(await seen()).toEqual([{ step: "1" }, ["PartialObjectMetadata"], 1]);
  await client.patch(Secret, "child", { merge: { metadata: { labels: { step: "2" } } } });
  expect(await seen()).toEqual([{ step: "2" }, ["PartialObjectMetadata"], 1]);
  await client.delete(Secret, child);
  expect(await seen()).toEqual([undefined, [], 0]);
});

test("a cache of whole objects contains own writes of a metadata-only kind; a deleted Pod stays until its grace period is over", async () => {
  await using world = await Controlled.start({ faults: [silent("secrets"), silent("pods")] });
  const on = [owns(Secret), owns(metadataOnly(Pod))];
  await world.run(controller({ name: "configmap", for: ConfigMap, on, reconcile: async () => {} }));
  const { client } = world.environment;
  const secret = await client.create(Secret, { metadata: { name: "a" }, stringData: { key: "1" } });
  await client.patch(metadataOnly(Secret), "a", { merge: { metadata: { labels: { step: "2" } } } });
  const patched = await client.get(Secret, "a");
  expect([patched?.metadata.labels, patched?.data]).toEqual([{ step: "2" }, { key: "MQ==" }]);
  await client.delete(metadataOnly(Secret), secret.metadata);
  expect(await client.get(Secret, "a")).toBeUndefined();
  const spec = { nodeName: "somewhere", containers: [{ name: "main", image: "none" }] };
  const pod = await client.create(Pod, { metadata: { name: "a" }, spec });
  await client.delete(metadataOnly(Pod), pod.metadata);
  expect((await client.get(metadataOnly(Pod), "a"))?.metadata.deletionGracePeriodSeconds).toBe(30);
});

test("deleteAll is visible at once: objects are absent, and objects with finalizers are terminating", async () => {
  await using world = await Controlled.start({ faults: [silent("secrets")] });
  await world.run(
    controller({ name: "configmap", for: ConfigMap, on: [owns(Secret)], reconcile: async () => {} }),
  );
  const { client } = world.environment;
  const labels = { app: "web" };
  const finalizers = ["example.dev/hold"];
  await client.create(Secret, { metadata: { name: "free", labels } });
  await client.create(Secret, { metadata: { name: "held", labels, finalizers } });
  await client.create(Secret, { metadata: { name: "other" } });
  const left = async (): Promise<string[]> =>
    (await client.list(Secret))
      .map(({ metadata }) => `${metadata.name}${metadata.deletionTimestamp ? " going" : ""}`)
      .sort();
  await client.deleteAll(Secret, { namespace: "default", labels, dryRun: true });
  expect(await left()).toEqual(["free", "held", "other"]);
  await client.deleteAll(Secret, { namespace: "default", labels });
  expect(await left()).toEqual(["held going", "other"]);
  await client.deleteAll(Secret, { namespace: "default", fields: { "metadata.name": "other" } });
  expect(await left()).toEqual(["held going"]);
});

test("writes of scale and eviction are visible at once, dry runs are not", async () => {
  await using world = await Controlled.start({ faults: [silent("deployments.apps"), silent("pods")] });
  const on = [owns(Deployment), owns(Pod)];
  await world.run(controller({ name: "configmap", for: ConfigMap, on, reconcile: async () => {} }));
  const { client } = world.environment;
  const containers = [{ name: "main", image: "none" }];
  const labels = { app: "web" };
  await client.create(Deployment, {
    metadata: { name: "a" },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  });
  const replicas = async (): Promise<number | undefined> =>
    (await client.get(Deployment, "a"))?.spec?.replicas;
  const scale = client.subresource(Deployment, "a", "scale");
  await scale.patch({ merge: { spec: { replicas: 7 } } }, { dryRun: true });
  expect(await replicas()).toBe(1);
  await scale.patch({ merge: { spec: { replicas: 3 } } });
  expect(await replicas()).toBe(3);
  await client.patch(Deployment, "a", { merge: { spec: { replicas: 4 } } }, { subresource: "scale" });
  expect(await replicas()).toBe(4);
  await client.create(Pod, { metadata: { name: "a" }, spec: { nodeName: "somewhere", containers } });
  await client.subresource(Pod, "a", "eviction").create();
  expect((await client.get(Pod, "a"))?.metadata.deletionGracePeriodSeconds).toBe(30);
});
