import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type KubeObject, keyOf, metadataOnly, parseKey } from "../api/index.ts";
import { ConfigMap, Namespace } from "../api/types/core/v1.ts";
import { type LogEntry, loggerTo, type Rng, seededRng, VirtualClock } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import { type FaultRule, startCluster } from "../testing/index.ts";
import { HandlerMirror } from "./handler-mirror.fixture.ts";
import {
  type HandlerOptions,
  type Informer,
  type InformerFactory,
  informers,
  type Lister,
  type Subscription,
} from "./index.ts";

type Step =
  | { readonly type: "put"; readonly key: string; readonly even: boolean }
  | { readonly type: "delete"; readonly key: string }
  | { readonly type: "wait"; readonly ms: number }
  | { readonly type: "join"; readonly place: number }
  | { readonly type: "leave"; readonly place: number };

const place = fc.nat(9);
const key = fc.constantFrom("x/a", "x/b", "x/c", "y/a", "y/b");
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ type: fc.constant("put" as const), key, even: fc.boolean() }) },
    { weight: 3, arbitrary: fc.record({ type: fc.constant("delete" as const), key }) },
    {
      weight: 3,
      arbitrary: fc.record({
        type: fc.constant("wait" as const),
        ms: fc.constantFrom(0, 0, 100, 1000, 5000, 40_000, 80_000, 700_000),
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant("join" as const), place }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant("leave" as const), place }) },
  ),
  { minLength: 10, maxLength: 60 },
);

const which = fc.oneof(
  fc.record({ nth: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ first: fc.integer({ min: 1, max: 12 }) }),
);
/** All faults end, so that everything is delivered in the end. */
const faults: fc.Arbitrary<FaultRule[]> = fc.array(
  fc.oneof(
    fc.record({
      on: fc.constant({ verb: "watch" as const, resource: "configmaps" }),
      which,
      fault: fc.record({
        type: fc.constantFrom(...(["freeze", "close", "break", "expire", "expire", "expire"] as const)),
        afterEvents: fc.nat(8),
      }),
    }),
    fc.record({
      on: fc.record({
        verb: fc.constantFrom("watch" as const, "list" as const),
        resource: fc.constant("configmaps"),
      }),
      which,
      fault: fc.oneof(
        fc.record({
          type: fc.constant("refuse" as const),
          code: fc.constantFrom(429 as const, 500 as const, 503 as const, 504 as const),
        }),
        fc.record({ type: fc.constant("delay" as const), ms: fc.constantFrom(50, 3000, 80_000) }),
        fc.record({
          type: fc.constant("cut" as const),
          when: fc.constantFrom("before" as const, "after" as const, "middle" as const),
        }),
      ),
    }),
  ),
  { maxLength: 5 },
);

test("after any history, all caches equal the server, and no handler saw a violation", async () => {
  await fc.assert(
    fc.asyncProperty(steps, faults, fc.nat(1000), async (history, rules, seed) => {
      const clock = new VirtualClock();
      const rng = seededRng(seed);
      await using cluster = await startCluster({ clock, rng, faults: rules });
      await using world = new World(cluster.client, { clock, rng });
      await world.start();
      for (const step of history) await world.take(step);
      await world.rest();
      world.check();
    }),
    { numRuns: 20 },
  );
});

interface Watcher {
  readonly mirror: HandlerMirror<KubeObject>;
  readonly subscription: Subscription;
  /** Returns the expected final state of an object of the server. */
  readonly of: (object: ConfigMap) => KubeObject | undefined;
}

const whole = (object: ConfigMap): KubeObject => object;
const isEven = ({ data }: ConfigMap): boolean => data?.even === "true";
const ifEven = (object: ConfigMap): KubeObject | undefined => (isEven(object) ? object : undefined);
const metadataOf = ({ metadata }: ConfigMap): KubeObject => ({
  apiVersion: "meta.k8s.io/v1",
  kind: "PartialObjectMetadata",
  metadata,
});

/** Longer than all faults together. */
const longestRestMs = 3 * 60 * 60_000;

/** A server, informers of several views with different handlers, and their expected objects. */
class World implements AsyncDisposable {
  readonly #client: Client;
  readonly #clock: VirtualClock;
  readonly #factory: InformerFactory;
  readonly #logged: LogEntry[] = [];
  readonly #all: Informer<ConfigMap>;
  readonly #copies: readonly { readonly lister: Lister<KubeObject>; readonly of: Watcher["of"] }[];
  readonly #watchers: Watcher[];
  readonly #left: { readonly mirror: HandlerMirror<KubeObject>; readonly events: number }[] = [];
  /** Objects of the server. */
  readonly #server = new Map<string, ConfigMap>();

  constructor(client: Client, { clock, rng }: { readonly clock: VirtualClock; readonly rng: Rng }) {
    this.#client = client;
    this.#clock = clock;
    const log = loggerTo((entry) => this.#logged.push(entry));
    const factory = informers({ client, clock, rng, log });
    this.#factory = factory;
    this.#all = factory.for(ConfigMap);
    const two = factory.for(ConfigMap, { namespaces: ["x", "y"] });
    const labelled = factory.for(ConfigMap, { labels: { even: "true" } });
    const names = factory.for(metadataOnly(ConfigMap));
    this.#copies = [
      { lister: this.#all.lister, of: whole },
      { lister: two.lister, of: whole },
      { lister: labelled.lister, of: ifEven },
      { lister: names.lister, of: metadataOf },
    ];
    this.#watchers = [
      watcher(this.#all, whole),
      watcher(this.#all, whole, { resyncMs: 30_000 }),
      watcher(this.#all, ifEven, { filter: isEven }),
      watcher(two, whole),
      watcher(labelled, ifEven),
      watcher(names, metadataOf),
    ];
  }

  async start(): Promise<void> {
    for (const name of ["x", "y"]) await this.#client.create(Namespace, { metadata: { name } });
    this.#factory.start({ signal: new AbortController().signal });
  }

  async take(step: Step): Promise<void> {
    await this.#clock.advance(0);
    switch (step.type) {
      case "put":
        return this.#put(step.key, String(step.even));
      case "delete":
        await this.#client.delete(ConfigMap, step.key);
        return void this.#server.delete(step.key);
      case "wait":
        return this.#clock.advance(step.ms);
      case "join":
        return void this.#watchers.push(watcher(this.#all, whole));
      default:
        return this.#leave(step.place);
    }
  }

  /** Advances time until everything should have been delivered. */
  async rest(): Promise<void> {
    const untilMs = this.#clock.monotonic() + longestRestMs;
    while (!this.#caughtUp() && this.#clock.monotonic() < untilMs) await this.#clock.advance(60_000);
    await this.#clock.advance(120_000);
    await this.#factory.synced;
  }

  check(): void {
    expect(this.#copies.map(({ lister }) => sorted(lister.list()))).toEqual(
      this.#copies.map(({ of }) => this.#expected(of)),
    );
    expect(this.#watchers.map(({ mirror }) => sorted(mirror.objects.values()))).toEqual(
      this.#watchers.map(({ of }) => this.#expected(of)),
    );
    expect(this.#watchers.flatMap(({ mirror }) => mirror.violations)).toEqual([]);
    expect(this.#left.map(({ mirror }) => mirror.events)).toEqual(this.#left.map(({ events }) => events));
    expect(this.#logged.filter(({ level }) => level === "error")).toEqual([]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#factory.close();
  }

  #caughtUp(): boolean {
    return this.#copies.every(({ lister, of }) =>
      isDeepStrictEqual(sorted(lister.list()), this.#expected(of)),
    );
  }

  #expected(of: Watcher["of"]): KubeObject[] {
    return sorted(this.#server.values()).flatMap((object) => of(object) ?? []);
  }

  /** Creates or updates an object, and records the result. */
  async #put(key: string, even: string): Promise<void> {
    const known = this.#server.get(key);
    const labels = { even };
    const data = { even, count: String(Number(known?.data?.count ?? 0) + 1) };
    const written = known
      ? await this.#client.update(ConfigMap, { ...known, metadata: { ...known.metadata, labels }, data })
      : await this.#client.create(ConfigMap, { metadata: { ...parseKey(key), labels }, data });
    delete written.metadata.managedFields;
    this.#server.set(key, written);
  }

  async #leave(place: number): Promise<void> {
    const [gone] = this.#watchers.splice(place, 1);
    if (!gone) return;
    await gone.subscription.close();
    this.#left.push({ mirror: gone.mirror, events: gone.mirror.events });
  }
}

function watcher<T extends KubeObject>(
  informer: Informer<T>,
  of: Watcher["of"],
  options: HandlerOptions<T> = {},
): Watcher {
  // A filtered handler does not mirror the lister.
  const mirror = new HandlerMirror<KubeObject>(options.filter ? undefined : informer.lister);
  return { mirror, of, subscription: informer.on(mirror.handler, options) };
}

function sorted<T extends KubeObject>(objects: Iterable<T>): T[] {
  return [...objects].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
