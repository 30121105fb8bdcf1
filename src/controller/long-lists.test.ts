import { expect, test } from "vitest";
import { type AnyKind, type KubeObject, keyOf } from "../api/index.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import { type Clock, seededRng, silentLogger, VirtualClock } from "../base/index.ts";
import { type InformerFactory, informers, type View } from "../cache/index.ts";
import { type Cluster, startCluster } from "../testing/index.ts";
import { CachingClient, DeclaredCache } from "./index.ts";
import { addEvery } from "./key-sources.ts";

/**
 * Virtual time. While `ticking` is set, it also advances by 1 ms whenever it is read, as if reading an object took
 * that.
 */
class TickingClock implements Clock {
  readonly virtual: VirtualClock = new VirtualClock();
  ticking = false;
  #extraMs = 0;

  now(): number {
    return this.virtual.now() + this.#extraMs;
  }

  monotonic(): number {
    if (this.ticking) this.#extraMs += 1;
    return this.virtual.monotonic() + this.#extraMs;
  }

  timer(afterMs: number, run: () => void): ReturnType<Clock["timer"]> {
    return this.virtual.timer(afterMs, run);
  }
}

/** A cache of 50 ConfigMaps, 25 of them with the label `app: web`. */
class World implements AsyncDisposable {
  readonly clock: TickingClock = new TickingClock();
  readonly cache: DeclaredCache = new DeclaredCache();
  readonly client: CachingClient;
  readonly #cluster: Cluster;
  readonly #factory: InformerFactory;
  readonly #ended = new AbortController();
  /** Number of turns of the event loop while the clock ticks. */
  turns = 0;

  private constructor(cluster: Cluster) {
    const { client } = cluster;
    const { clock, cache } = this;
    this.#cluster = cluster;
    this.#factory = informers({ client, clock, rng: seededRng(1), log: silentLogger });
    this.client = new CachingClient({ live: client, cache, strict: true });
  }

  static async start(...views: readonly View<KubeObject>[]): Promise<World> {
    const world = new World(await startCluster({ rng: seededRng(1) }));
    for (let index = 0; index < 50; index++) {
      const labels = index % 2 === 0 ? { app: "web" } : { app: "db" };
      await world.#cluster.client.create(ConfigMap, { metadata: { name: `map-${index}`, labels } });
    }
    const kind: AnyKind = ConfigMap;
    for (const view of views) world.cache.declare(world.#factory.for(kind, view), { owned: false });
    world.#factory.start({ signal: world.#ended.signal });
    await world.#factory.synced;
    return world;
  }

  /** Runs the work on a ticking clock, and returns how many turns of the event loop it took. */
  async turnsOf(work: () => Promise<unknown>): Promise<number> {
    const count = (): void => {
      this.turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    this.clock.ticking = true;
    await work();
    this.clock.ticking = false;
    clearImmediate(next);
    return this.turns;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort(new Error("the test ends"));
    await this.#factory.close();
    await this.#cluster.close();
  }
}

test("a list from the cache lets other work run every 10 ms", async () => {
  await using world = await World.start({});
  const { client } = world;
  let listed: readonly ConfigMap[] = [];
  const turns = await world.turnsOf(async () => {
    listed = await client.list(ConfigMap, { namespace: "default" });
  });
  expect(turns).toBe(5);
  expect(listed).toEqual(world.cache.of(ConfigMap).list({ namespace: "default" }));
});

test("an iteration over several views reads each object once", async () => {
  await using world = await World.start({ labels: { app: "web" } }, { labels: "app in (web, db)" });
  const lister = world.cache.of(ConfigMap);
  const expected = lister.list().map(keyOf).sort();
  let iterated: string[] = [];
  const turns = await world.turnsOf(async () => {
    iterated = (await lister.iterate().toArray()).map(keyOf).sort();
  });
  expect(iterated).toEqual(expected);
  expect(expected).toHaveLength(50);
  expect([...lister.keys()].sort()).toEqual(expected);
  expect(turns).toBeGreaterThanOrEqual(5);
});

test("a poll trigger lets other work run every 10 ms while it adds keys", async () => {
  await using world = await World.start({});
  const { clock } = world;
  const ended = new AbortController();
  const addedIn = new Map<number, number>();
  const keys = (): Iterable<string> => world.cache.of(ConfigMap).keys();
  let left = 50;
  const polled = new Promise<void>((resolve) => {
    const add = (): void => {
      addedIn.set(world.turns, (addedIn.get(world.turns) ?? 0) + 1);
      left -= 1;
      if (left === 0) resolve();
    };
    void addEvery(1000, keys, { signal: ended.signal, clock, add });
  });
  await world.turnsOf(() => Promise.all([polled, clock.virtual.advance(1000)]));
  ended.abort(new Error("the test ends"));
  expect([...addedIn.values()]).toEqual([10, 10, 10, 10, 10]);
});
