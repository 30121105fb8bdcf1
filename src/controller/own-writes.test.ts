import { expect, test } from "vitest";
import { type KubeObject, keyOf, kind } from "../api/index.ts";
import { CustomResourceDefinition } from "../api/types/apiextensions/v1.ts";
import { Deployment } from "../api/types/apps/v1.ts";
import { ConfigMap, Namespace, Pod, Secret } from "../api/types/core/v1.ts";
import type { Client } from "../client/index.ts";
import type { FaultRule } from "../testing/index.ts";
import { Controlled } from "./controlled.fixture.ts";
import { controller, owns, watches } from "./index.ts";

const reconcile = async (): Promise<void> => {};
const finalizers = ["example.dev/hold"];

/** Watches of the resource deliver the objects that exist, and nothing after them. */
function frozen(resource: string, existing = 0): FaultRule {
  return { on: { verb: "watch", resource }, fault: { type: "freeze", afterEvents: existing + 1 } };
}

/** Every read of the resource at the server fails. */
function unreadable(resource: string): FaultRule[] {
  return (["get", "list"] as const).map((verb) => ({
    on: { verb, resource },
    fault: { type: "refuse", code: 500 },
  }));
}

const keys = (objects: readonly KubeObject[]): string[] => objects.map(keyOf).sort();

async function hold(client: Client, name: string): Promise<void> {
  await client.patch(Secret, name, { merge: { metadata: { finalizers } } });
}

test("an object with a finalizer that the cache has not seen stays visible after a delete", async () => {
  await using world = await Controlled.start({ faults: [frozen("secrets", 1), ...unreadable("secrets")] });
  await world.live.create(Secret, { metadata: { name: "a" } });
  await world.run(controller({ name: "test", for: ConfigMap, on: [owns(Secret)], reconcile }));
  const { client, cache } = world.environment;
  await hold(world.live, "a");
  const stays = await client.delete(Secret, "a");
  expect(stays?.metadata.finalizers).toEqual(finalizers);
  expect((await client.get(Secret, "a"))?.metadata.deletionTimestamp).toBe(stays?.metadata.deletionTimestamp);
  expect(cache.of(Secret).list().map(keyOf)).toEqual(["default/a"]);
  const again = await client.delete(Secret, "a");
  expect(again?.metadata.finalizers).toEqual(finalizers);
  expect((await client.list(Secret)).map(keyOf)).toEqual(["default/a"]);
});

test("a Namespace and a CustomResourceDefinition stay visible until they are removed", async () => {
  await using world = await Controlled.start({
    faults: [frozen("namespaces", 4), frozen("customresourcedefinitions.apiextensions.k8s.io")],
  });
  const on = [watches(CustomResourceDefinition, () => [])];
  await world.run(controller({ name: "test", for: Namespace, on, reconcile }));
  const { client } = world.environment;
  await client.create(Namespace, { metadata: { name: "tenant" } });
  await client.create(ConfigMap, { metadata: { name: "a", namespace: "tenant", finalizers } });
  const versions = [
    { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } },
  ];
  await client.create(CustomResourceDefinition, {
    metadata: { name: "things.example.dev" },
    spec: { group: "example.dev", scope: "Cluster", names: { plural: "things", kind: "Thing" }, versions },
  });
  const stays = await client.delete(Namespace, "tenant");
  expect([stays?.status?.phase, stays?.spec?.finalizers]).toEqual(["Terminating", ["kubernetes"]]);
  expect((await client.get(Namespace, "tenant"))?.metadata.deletionTimestamp).toBeDefined();
  const Thing = kind({
    group: "example.dev",
    version: "v1",
    kind: "Thing",
    plural: "things",
    namespaced: false,
  });
  await client.create(Thing, { metadata: { name: "a", finalizers } });
  const definition = await client.delete(CustomResourceDefinition, "things.example.dev");
  const read = await client.get(CustomResourceDefinition, "things.example.dev");
  expect(definition?.metadata.finalizers).toEqual(["customresourcecleanup.apiextensions.k8s.io"]);
  expect(read?.metadata.deletionTimestamp).toBe(definition?.metadata.deletionTimestamp);
});

test("a deleted object is absent from every view, also from one that never contained it", async () => {
  await using world = await Controlled.start({ faults: [frozen("secrets", 1)] });
  await world.live.create(Secret, { metadata: { name: "a", labels: { of: "us" } } });
  await world.live.create(Secret, { metadata: { name: "b", labels: { of: "them" } } });
  const of = (name: string): ReturnType<typeof controller> =>
    controller({ name, for: ConfigMap, on: [owns(Secret, { view: { labels: { of: name } } })], reconcile });
  await world.run(of("us"), of("them"));
  const { client, cache } = world.environment;
  const read = async (): Promise<unknown[]> => [
    keys(await client.list(Secret)),
    keys(await client.list(Secret, { labels: { of: "them" } })),
    keys(cache.of(Secret).list()),
  ];
  expect(await read()).toEqual([["default/a", "default/b"], ["default/b"], ["default/a", "default/b"]]);
  await client.create(Secret, { metadata: { name: "c", labels: { of: "them" } } });
  expect(await read()).toEqual([
    ["default/a", "default/b", "default/c"],
    ["default/b", "default/c"],
    ["default/a", "default/b", "default/c"],
  ]);
  for (const name of ["a", "b", "c"]) expect(await client.delete(Secret, name)).toBeUndefined();
  expect(await read()).toEqual([[], [], []]);
});

test("writes and deletes in several namespaces, watched by several controllers, are read at once", async () => {
  await using world = await Controlled.start({ faults: [frozen("secrets")] });
  for (const name of ["one", "two"]) await world.live.create(Namespace, { metadata: { name } });
  const of = (name: string): ReturnType<typeof controller> =>
    controller({ name, for: ConfigMap, on: [owns(Secret, { view: { namespaces: [name] } })], reconcile });
  await world.run(of("one"), of("two"));
  const { client } = world.environment;
  await client.create(Secret, { metadata: { name: "a", namespace: "one" } });
  await client.create(Secret, { metadata: { name: "a", namespace: "two" } });
  expect(keys(await client.list(Secret))).toEqual(["one/a", "two/a"]);
  await client.delete(Secret, "two/a");
  expect([keys(await client.list(Secret)), await client.get(Secret, "two/a")]).toEqual([
    ["one/a"],
    undefined,
  ]);
});

test("an owned object that another program deleted is absent, even if only one of two namespaces had events", async () => {
  const late: FaultRule = { on: { verb: "watch", resource: "secrets" }, fault: { type: "delay", ms: 100 } };
  await using world = await Controlled.start({ faults: [late] });
  for (const name of ["one", "two"]) await world.live.create(Namespace, { metadata: { name } });
  const view = { namespaces: ["one", "two"] };
  await world.run(
    controller({ name: "test", for: ConfigMap, view, on: [owns(Secret, { view })], reconcile }),
  );
  await world.clock.advance(1000);
  const { client } = world.environment;
  await client.create(Secret, { metadata: { name: "child", namespace: "one" } });
  await world.clock.advance(1000);
  await world.live.delete(Secret, "one/child");
  await world.clock.advance(1000);
  expect(await client.get(Secret, "one/child")).toBeUndefined();
});

test("an own write outside a view's field selector is not listed", async () => {
  await using world = await Controlled.start({ faults: [frozen("secrets")] });
  const view = { fields: { type: "example.dev/ours" } };
  await world.run(controller({ name: "test", for: ConfigMap, on: [owns(Secret, { view })], reconcile }));
  const { client, cache } = world.environment;
  await client.create(Secret, { metadata: { name: "ours" }, type: "example.dev/ours" });
  await client.create(Secret, { metadata: { name: "theirs" }, type: "example.dev/theirs" });
  expect([keys(await client.list(Secret)), keys(cache.of(Secret).list())]).toEqual([
    ["default/ours"],
    ["default/ours"],
  ]);
});

test("a write is read from the server while only the server can evaluate a field selector", async () => {
  await using world = await Controlled.start({ faults: [frozen("pods")] });
  const view = { fields: { "status.podIP": "" } };
  await world.run(controller({ name: "test", for: ConfigMap, on: [owns(Pod, { view })], reconcile }));
  const { client, cache } = world.environment;
  await client.create(Pod, {
    metadata: { name: "a" },
    spec: { containers: [{ name: "main", image: "none" }] },
  });
  expect(cache.of(Pod).list()).toEqual([]);
  expect(keys(await client.list(Pod))).toEqual(["default/a"]);
  expect((await client.get(Pod, "a"))?.metadata.name).toBe("a");
});

test("delete, scale, evict and patch resolve when the server has accepted them, though nothing can be read", async () => {
  const faults = [...unreadable("deployments.apps"), ...unreadable("pods"), ...unreadable("secrets")];
  await using world = await Controlled.start({
    faults: [frozen("deployments.apps"), frozen("pods"), frozen("secrets"), ...faults],
  });
  await world.run(
    controller({ name: "test", for: ConfigMap, on: [owns(Deployment), owns(Pod), owns(Secret)], reconcile }),
  );
  const { client } = world.environment;
  const containers = [{ name: "main", image: "none" }];
  const labels = { app: "web" };
  await client.create(Deployment, {
    metadata: { name: "a" },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  });
  await client.create(Pod, { metadata: { name: "a" }, spec: { nodeName: "somewhere", containers } });
  await client.create(Secret, { metadata: { name: "a", finalizers } });
  await client.create(Secret, { metadata: { name: "b" } });
  const scaled = await client
    .subresource(Deployment, "a", "scale")
    .patch({ merge: { spec: { replicas: 3 } } });
  expect(scaled.spec?.replicas).toBe(3);
  await client.patch(Deployment, "a", { merge: { spec: { replicas: 4 } } }, { subresource: "scale" });
  expect(await client.subresource(Pod, "a", "eviction").create()).toMatchObject({ status: "Success" });
  expect((await client.delete(Secret, "a"))?.metadata.finalizers).toEqual(finalizers);
  await client.deleteAll(Secret, { namespace: "default" });
  expect(await client.delete(Secret, "b")).toBeUndefined();
  await expect(client.get(Deployment, "a")).rejects.toThrow("500"); // the cache does not know its replicas
  await expect(client.get(Pod, "a")).rejects.toThrow("500");
});

test("until the watch delivers scale and deleteAll, the client reads from the server and synchronous reads are unchanged", async () => {
  await using world = await Controlled.start({
    faults: [frozen("deployments.apps", 1), frozen("secrets", 1)],
  });
  const { live } = world;
  const labels = { app: "a" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } };
  const spec = { replicas: 1, selector: { matchLabels: labels }, template };
  await live.create(Deployment, { metadata: { name: "a" }, spec });
  await live.create(Secret, { metadata: { name: "a" } });
  const on = [owns(Deployment), owns(Secret)];
  await world.run(controller({ name: "test", for: ConfigMap, on, reconcile }));
  const { client, cache } = world.environment;
  await client.subresource(Deployment, "a", "scale").patch({ merge: { spec: { replicas: 3 } } });
  await client.deleteAll(Secret, { namespace: "default" });
  expect((await client.get(Deployment, "a"))?.spec?.replicas).toBe(3);
  expect(cache.of(Deployment).get("default/a")?.spec?.replicas).toBe(1);
  expect(await client.list(Secret, { namespace: "default" })).toEqual([]);
  expect(keys(cache.of(Secret).list())).toEqual(["default/a"]);
});
