import { expect, test } from "vitest";
import { type KubeObject, metadataOnly, type PartialObject } from "../api/index.ts";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import type { View } from "../cache/index.ts";
import { type Context, controller, index, owns, poll, watches } from "../controller/index.ts";
import { CacheConfig } from "./cache-config.ts";
import { cached } from "./cache-options.ts";
import { manager } from "./index.ts";
import { withPermissions } from "./limited-client.fixture.ts";
import { Managed } from "./managed.fixture.ts";

const reconcile = async (): Promise<void> => {};

/** A transform that keeps the metadata and marks the object. */
const marking =
  (mark: string) =>
  <T extends KubeObject>(object: T): T => ({
    ...object,
    metadata: { ...object.metadata, annotations: { mark } },
  });

test("the cache keeps what the options of all kinds, of the kind and the view select, in this order", () => {
  const config = new CacheConfig(
    {
      labels: { app: "web" },
      pageSize: 10,
      kinds: [cached(Secret, { labels: { app: "shop" }, namespaces: ["a"] })],
    },
    ["default"],
  );
  const cases: [KubeView, View<KubeObject>][] = [
    [{ kind: ConfigMap }, { labels: { app: "web" }, pageSize: 10, namespaces: ["default"] }],
    [{ kind: Secret }, { labels: { app: "shop" }, pageSize: 10, namespaces: ["a"] }],
    [
      { kind: Secret, view: { labels: "", namespaces: [] } },
      { labels: "", pageSize: 10, namespaces: [] },
    ],
    [
      { kind: Secret, view: { labels: undefined } },
      { labels: { app: "shop" }, pageSize: 10, namespaces: ["a"] },
    ],
  ];
  expect(cases.map(([{ kind, view }]) => config.resolve(kind, view).view)).toEqual(
    cases.map(([, view]) => view),
  );
});

interface KubeView {
  readonly kind: typeof ConfigMap | typeof Secret;
  readonly view?: View<KubeObject>;
}

test("selectors and transforms of the cache apply to controllers, triggers and reads", async () => {
  await using world = await Managed.start();
  const { client } = world.cluster;
  for (const app of ["web", "shop"]) {
    await client.create(ConfigMap, { metadata: { name: app, labels: { app } } });
    await client.create(Secret, { metadata: { name: app, labels: { app } } });
  }
  const reconciled: string[] = [];
  const maps = controller({
    name: "maps",
    for: ConfigMap,
    on: [owns(Secret)],
    reconcile: async ({ name }) => void reconciled.push(name),
  });
  const kinds = [cached(Secret, { labels: { app: "shop" }, transform: marking("secret") })];
  const made = await world.run([maps], {
    cache: { labels: { app: "web" }, transform: marking("default"), kinds },
  });
  const cachedOf = (kind: typeof ConfigMap | typeof Secret): unknown[] =>
    made.cache
      .of<KubeObject>(kind)
      .list()
      .map(({ metadata: { name, annotations } }) => [name, annotations]);
  expect([cachedOf(ConfigMap), cachedOf(Secret), reconciled]).toEqual([
    [["web", { mark: "default" }]],
    [["shop", { mark: "secret" }]],
    ["web"],
  ]);
});

test("a kind that is cached as metadata only triggers reconciles, and whole objects are read from the server", async () => {
  await using world = await Managed.start();
  const log: unknown[] = [];
  const owner = await world.cluster.client.create(ConfigMap, { metadata: { name: "owner" } });
  const run = async (_: unknown, { client, cache }: Context): Promise<void> => {
    const [child] = cache.owned<PartialObject>(metadataOnly(Secret), owner);
    log.push([child?.kind, (await client.get(Secret, "child"))?.data]);
  };
  const maps = controller({
    name: "maps",
    for: ConfigMap,
    when: () => false,
    on: [owns(Secret)],
    reconcile: run,
  });
  const made = await world.run([maps], { cache: { kinds: [cached(Secret, { metadataOnly: true })] } });
  await world.cluster.client.create(Secret, { metadata: { name: "child" }, data: { a: "Yg==" } }, { owner });
  await world.settle();
  expect(log).toEqual([["PartialObjectMetadata", { a: "Yg==" }]]);
  expect(() => made.cache.of(Secret)).toThrow(
    new TypeError(
      "expected a kind whose objects are cached, got v1 Secret, of which only the metadata is; " +
        "read that with metadataOnly(Secret), or whole objects with the client",
    ),
  );
});

test("a primary kind that is cached as metadata only is reconciled and polled", async () => {
  await using world = await Managed.start();
  const log: string[] = [];
  await world.cluster.client.create(Secret, { metadata: { name: "s" }, data: { a: "Yg==" } });
  const secrets = controller({
    name: "secrets",
    for: Secret,
    on: [poll({ everyMs: 1000 })],
    reconcile: async (key, { client, reasons }) =>
      void log.push(`${reasons[0]?.event} ${(await client.get(Secret, key))?.data?.a}`),
  });
  await world.run([secrets], { cache: { metadataOnly: true } });
  await world.clock.advance(1000);
  expect(log).toEqual(["added Yg==", "poll Yg=="]);
});

test("what needs whole objects is refused for a kind that is cached as metadata only", () => {
  const finalizer = "example.dev/secrets";
  const whole =
    "got only metadata; add cached(Secret, { metadataOnly: false }) to `cache.kinds` of the manager";
  const bySecret = index(Secret, ({ type = "" }) => [type]);
  const cleaning = controller({ name: "secrets", for: Secret, reconcile, cleanup: reconcile, finalizer });
  const indexing = controller({
    name: "maps",
    for: ConfigMap,
    on: [owns(Secret)],
    indexes: [bySecret],
    reconcile,
  });
  const cache = { metadataOnly: true, kinds: [cached(ConfigMap, { metadataOnly: false })] };
  expect(() => manager({ controllers: [cleaning], cache })).toThrow(
    new TypeError(`expected whole objects of v1 Secret for the cleanup of controller "secrets", ${whole}`),
  );
  expect(() => manager({ controllers: [indexing], cache })).toThrow(
    new TypeError(`expected whole objects of v1 Secret for an index of controller "maps", ${whole}`),
  );
  const kinds = [cached(Secret, { metadataOnly: false })];
  expect(() => manager({ controllers: [cleaning], cache: { metadataOnly: true, kinds } })).not.toThrow();
});

test("a transform of whole objects is refused for a kind that is cached as metadata only", async () => {
  expect(() => cached(Secret, { metadataOnly: true, transform: marking("a") })).toThrow(
    new TypeError(
      "expected cached(Secret) to have either metadataOnly or a transform of whole objects, got both; " +
        "pass the transform to cached(metadataOnly(Secret), …)",
    ),
  );
  const config = new CacheConfig({ kinds: [cached(Secret, { metadataOnly: true })] }, undefined);
  expect(() => config.resolve(Secret, { transform: marking("a") })).toThrow(
    new TypeError(
      "expected no transform in a view of v1 Secret, because the manager caches only its metadata; " +
        "watch metadataOnly(Secret)",
    ),
  );
});

test("the metadata of a kind has the selectors of the kind, and its own transform", () => {
  const [whole, metadata] = [marking("whole"), marking("metadata")];
  const kinds = [
    cached(Secret, { labels: { app: "web" }, transform: whole }),
    cached(metadataOnly(Secret), { transform: metadata }),
  ];
  const config = new CacheConfig({ kinds }, undefined);
  expect(config.resolve(metadataOnly(Secret)).view).toEqual({
    labels: { app: "web" },
    transform: metadata,
    namespaces: undefined,
  });
});

test("a kind that is given twice, and an invalid namespace, are errors", () => {
  const kinds = [cached(Secret, {}), cached(Secret, {})];
  expect(() => manager({ controllers: [], cache: { kinds } })).toThrow(
    new TypeError("expected one entry for each kind of cache.kinds, got two of v1 Secret"),
  );
  expect(() => cached(Secret, { namespaces: [""] })).toThrow(
    "expected namespaces of cached(Secret)[0] to be the name of a namespace",
  );
});

test("namespaces of a kind are those for which permissions are checked", async () => {
  await using world = await Managed.start();
  const client = withPermissions(world.cluster.client, ({ namespace }) => namespace === "kube-system");
  const on = [watches(Secret, () => [])];
  const maps = controller({ name: "maps", for: ConfigMap, on, reconcile });
  await world.run([maps], {
    client,
    namespaces: ["default"],
    cache: { kinds: [cached(Secret, { namespaces: ["kube-system"] })] },
  });
  expect(String(await world.over).replace(/ \(.*/s, "")).toBe(
    "expected admin to have permission to list, watch configmaps in namespace default",
  );
});
