import { expect, test } from "vitest";
import { kind } from "../api/index.ts";
import { ConfigMap, Namespace, Secret, Service } from "../api/types/core/v1.ts";
import type { FaultRule } from "../testing/index.ts";
import { Controlled } from "./controlled.fixture.ts";
import { CacheNotSyncedError, controller, index, owns, watches } from "./index.ts";

const reconcile = async (): Promise<void> => {};

/** The cache of a kind syncs after five seconds: streams and lists of it are slow. */
function slow(resource: string): FaultRule[] {
  const fault = { type: "delay" as const, ms: 5000 };
  return [{ on: { verb: "watch", resource }, fault }];
}

/** A controller of ConfigMaps runs, and one that declares Secrets has just been added. */
async function adding(
  view: { readonly labels?: Record<string, string>; readonly namespaces?: string[] } = {},
): Promise<Controlled> {
  const world = await Controlled.start({ faults: slow("secrets") });
  await world.live.create(Namespace, { metadata: { name: "away" } });
  await world.live.create(Secret, { metadata: { name: "a", labels: { app: "web" } } });
  await world.live.create(Secret, { metadata: { name: "b" } });
  await world.live.create(Secret, { metadata: { name: "c", namespace: "away", labels: { app: "web" } } });
  await world.run(controller({ name: "works", for: ConfigMap, reconcile }));
  await world.run(controller({ name: "added", for: ConfigMap, on: [owns(Secret, { view })], reconcile }));
  return world;
}

test("until a cache has synced, the client reads from the server", async () => {
  await using world = await adding();
  const { client } = world.environment;
  const read = async (): Promise<unknown[]> => [
    (await client.get(Secret, "a"))?.metadata.name,
    await client.get(Secret, "none"),
    (await client.list(Secret)).map(({ metadata }) => metadata.name).sort(),
    (await client.list(Secret, { namespace: "away", labels: { app: "web" } })).map(
      ({ metadata }) => metadata.name,
    ),
  ];
  const expected = ["a", undefined, ["a", "b", "c"], ["c"]];
  const before = await read();
  await world.clock.advance(5000);
  expect([before, await read()]).toEqual([expected, expected]);
});

test("until a cache has synced, a list has the objects that its view will have", async () => {
  for (const view of [{ labels: { app: "web" } }, { namespaces: ["away"] }]) {
    await using world = await adding(view);
    const { client } = world.environment;
    const names = async (): Promise<string[]> =>
      (await client.list(Secret)).map(({ metadata }) => metadata.name).sort();
    const before = await names();
    await world.clock.advance(5000);
    expect(before).toEqual(await names());
  }
});

test("until a cache has synced, synchronous reads throw with the action to take", async () => {
  await using world = await adding();
  const { cache } = world.environment;
  const owner = { metadata: { uid: "1" } } as never;
  const secrets = cache.of(Secret);
  const byType = index(Secret, ({ type = "" }) => [type]);
  cache.declareIndex(byType);
  const reads: Record<string, () => unknown> = {
    get: () => secrets.get("default/a"),
    list: () => secrets.list(),
    view: () => secrets.view("default/a"),
    views: () => secrets.views(),
    keys: () => secrets.keys(),
    owned: () => cache.owned(Secret, owner),
    by: () => cache.by(byType, "Opaque"),
  };
  for (const [name, read] of Object.entries(reads)) {
    expect(read, name).toThrow(CacheNotSyncedError);
    expect(read, name).toThrow(
      "the cache of v1 Secret has not synced; await the manager's `ready` first, " +
        "or read with the client, which reads from the server until then",
    );
  }
  await world.clock.advance(5000);
  expect([
    secrets.get("default/a")?.metadata.name,
    secrets.list().length,
    [...secrets.keys()].length,
  ]).toEqual(["a", 3, 3]);
});

/** A controller whose mapper reads Secrets, which are synced after five seconds. @returns what it reconciled */
async function mapping(world: Controlled): Promise<string[]> {
  const reconciled: string[] = [];
  const { cache } = world.environment;
  const map = ({ metadata: { name } }: ConfigMap): string[] =>
    cache
      .of(Secret)
      .list()
      .map((secret) => `default/${name}-${secret.metadata.name}`);
  const service = controller({
    name: "services",
    for: Service,
    on: [watches(ConfigMap, map, { when: ({ key }) => key.startsWith("default/map") })],
    reconcile: async ({ name }) => void reconciled.push(name),
    when: () => false,
  });
  await world.run(service, controller({ name: "works", for: ConfigMap, reconcile }));
  return reconciled;
}

test("an event whose mapper reads a cache that has not synced is delivered when it has", async () => {
  await using world = await Controlled.start({ faults: slow("secrets") });
  await world.live.create(Secret, { metadata: { name: "a" } });
  await world.live.create(ConfigMap, { metadata: { name: "map-1" } });
  await world.run(controller({ name: "added", for: ConfigMap, on: [owns(Secret)], reconcile }));
  const reconciled = await mapping(world);
  await world.live.create(ConfigMap, { metadata: { name: "map-2" } });
  await world.settle();
  expect(reconciled).toEqual([]);
  await world.clock.advance(5000);
  expect(reconciled.sort()).toEqual(["map-1-a", "map-2-a"]);
  expect(world.logged.filter(({ level }) => level === "error")).toEqual([]);
});

test("the first and the last event of an object that wait for a cache are kept", async () => {
  await using world = await Controlled.start({ faults: slow("secrets") });
  await world.live.create(ConfigMap, { metadata: { name: "map" }, data: { to: "created" } });
  await world.live.create(Secret, { metadata: { name: "a" } });
  const mapped: unknown[] = [];
  const { cache } = world.environment;
  const map = ({ data }: ConfigMap): string[] => {
    cache.of(Secret).list();
    mapped.push(data?.to);
    return [];
  };
  await world.run(controller({ name: "added", for: ConfigMap, on: [owns(Secret)], reconcile }));
  const when = ({ key }: { key: string }): boolean => key === "default/map";
  await world.run(
    controller({ name: "services", for: Service, on: [watches(ConfigMap, map, { when })], reconcile }),
  );
  for (const to of ["1", "2", "3"]) {
    await world.live.patch(ConfigMap, "map", { merge: { data: { to } } });
    await world.settle();
  }
  await world.clock.advance(5000);
  expect(mapped).toEqual(["created", "3", "2"]);
});

test("a view has synced when all of its namespaces have", async () => {
  const rule: FaultRule = {
    on: { verb: "watch", resource: "secrets" },
    which: { nth: 2 },
    fault: { type: "delay", ms: 5000 },
  };
  await using world = await Controlled.start({ faults: [rule] });
  await world.live.create(Namespace, { metadata: { name: "away" } });
  for (const namespace of ["default", "away"])
    await world.live.create(Secret, { metadata: { name: "a", namespace } });
  const view = { namespaces: ["default", "away"] };
  await world.run(controller({ name: "test", for: ConfigMap, on: [owns(Secret, { view })], reconcile }));
  const { client, cache } = world.environment;
  expect((await client.list(Secret)).length).toBe(2);
  expect(() => cache.of(Secret).list()).toThrow(CacheNotSyncedError);
  await world.clock.advance(5000);
  expect(cache.of(Secret).list().length).toBe(2);
});

test("an undiscovered cluster-scoped kind is read from the cache", async () => {
  await using world = await Controlled.start();
  await world.run(controller({ name: "test", for: Namespace, reconcile }));
  const Named = kind({ version: "v1", kind: "Namespace" });
  expect((await world.environment.client.get(Named, "default"))?.metadata.name).toBe("default");
});
