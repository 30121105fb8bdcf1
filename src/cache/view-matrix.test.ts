import { expect, test } from "vitest";
import { type KubeObject, keyOf, metadataOnly } from "../api/index.ts";
import { ConfigMap, Namespace } from "../api/types/core/v1.ts";
import { loggerTo, seededRng, VirtualClock } from "../base/index.ts";
import { type Cluster, startCluster } from "../testing/index.ts";
import { type InformerFactory, type InformersOptions, informers, type View } from "./index.ts";

/** Two namespaces with the same objects, except one. */
class World implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly cluster: Cluster;

  private constructor(cluster: Cluster, clock: VirtualClock) {
    this.cluster = cluster;
    this.clock = clock;
  }

  static async start(): Promise<World> {
    const clock = new VirtualClock();
    const cluster = await startCluster({ clock, rng: seededRng(1) });
    const { client } = cluster;
    for (const namespace of ["a", "b"]) {
      await client.create(Namespace, { metadata: { name: namespace, labels: { app: "web" } } });
      await client.create(ConfigMap, { metadata: { namespace, name: "x", labels: { app: "web" } } });
    }
    await client.create(ConfigMap, { metadata: { namespace: "a", name: "y", labels: { app: "db" } } });
    await client.create(ConfigMap, { metadata: { namespace: "b", name: "z" } });
    return new World(cluster, clock);
  }

  factory(options: Partial<InformersOptions> = {}): InformerFactory {
    const { clock, cluster } = this;
    return informers({
      client: cluster.client,
      clock,
      rng: seededRng(2),
      log: loggerTo(() => {}),
      ...options,
    });
  }

  async filled(factory: InformerFactory): Promise<void> {
    factory.start({ signal: new AbortController().signal });
    await this.clock.advance(0);
    await factory.synced;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster.close();
    expect(this.clock.timers).toBe(0);
  }
}

const keys = (objects: readonly KubeObject[]): string => objects.map(keyOf).sort().join(" ");
const webs = { app: "web" };
const named = { "metadata.name": "x" };

/** Namespaces of the factory and of the view, and the cached objects. */
const matrix: readonly [View<KubeObject>, View<KubeObject>, string][] = [
  [{}, {}, "a/x a/y b/x b/z"],
  [{}, { labels: {}, fields: {}, namespaces: [] }, "a/x a/y b/x b/z"],
  [{}, { fields: named }, "a/x b/x"],
  [{}, { fields: { "metadata.namespace": "a" } }, "a/x a/y"],
  [{}, { labels: webs }, "a/x b/x"],
  [{}, { labels: { app: "db" }, fields: { "metadata.name": "y" } }, "a/y"],
  [{}, { labels: { app: "db" }, fields: named }, ""],
  [{}, { labels: { app: "none" } }, ""],
  [{}, { namespaces: ["a"] }, "a/x a/y"],
  [{}, { namespaces: ["a", "b"], labels: webs }, "a/x b/x"],
  [{}, { namespaces: ["b"], labels: "app notin (web)" }, "b/z"],
  [{}, { namespaces: ["c"] }, ""],
  [{ namespaces: ["a"] }, {}, "a/x a/y"],
  [{ namespaces: ["a", "b"], labels: webs }, {}, "a/x b/x"],
  [{ fields: named }, { labels: webs, namespaces: ["b"] }, "b/x"],
  [{ namespaces: ["a"] }, { namespaces: ["b"] }, "b/x b/z"],
  [{ namespaces: ["a"] }, { namespaces: [] }, "a/x a/y b/x b/z"],
  [{ labels: webs }, { labels: {} }, "a/x a/y b/x b/z"],
  [
    { labels: webs, fields: named, namespaces: ["a"] },
    { labels: "", fields: "", namespaces: [] },
    "a/x a/y b/x b/z",
  ],
];

test.each(matrix)("in a factory for %j, a view of %j caches %j", async (all, own, expected) => {
  await using world = await World.start();
  await using factory = world.factory(all);
  const whole = factory.for(ConfigMap, own as View<ConfigMap>);
  const metadata = factory.for(metadataOnly(ConfigMap), own as object);
  await world.filled(factory);
  expect([keys(whole.lister.list()), keys(metadata.lister.list())]).toEqual([expected, expected]);
});

test("a cluster-scoped kind is cached once, for any namespaces of the view", async () => {
  await using world = await World.start();
  await using factory = world.factory({ namespaces: ["a", "b"] });
  const told: string[] = [];
  const namespaces = factory.for(Namespace, { labels: webs });
  namespaces.on(({ type, key }) => void told.push(`${type} ${key}`));
  await world.filled(factory);
  await world.cluster.client.create(Namespace, { metadata: { name: "c", labels: webs } });
  await world.clock.advance(0);
  expect(told).toEqual(["added a", "added b", "added c"]);
  expect(keys(namespaces.lister.list())).toBe("a b c");
});

test("options of the view override those of the factory, for complete objects and for metadata", async () => {
  await using world = await World.start();
  const marked =
    (by: string) =>
    <T extends KubeObject>(object: T): T => ({
      ...object,
      metadata: { ...object.metadata, annotations: { by } },
    });
  await using factory = world.factory({ transform: marked("factory"), namespaces: ["a"], fields: named });
  const informers = [
    factory.for(ConfigMap),
    factory.for(ConfigMap, { transform: marked("view") }),
    factory.for(metadataOnly(ConfigMap)),
    factory.for(metadataOnly(ConfigMap), { transform: marked("view") }),
  ];
  await world.filled(factory);
  expect(informers.map(({ lister }) => lister.get("a/x")?.metadata.annotations?.by)).toEqual([
    "factory",
    "view",
    "factory",
    "view",
  ]);
});
