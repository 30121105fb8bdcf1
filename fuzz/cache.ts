import { below, loggerTo, type Rng, seededRng, VirtualClock } from "../src/base/index.ts";
import { type Informer, type InformerFactory, informers, type View } from "../src/cache/index.ts";
import { Thing } from "../src/cache/objects/objects.fixture.ts";
import { clientOver } from "../src/client/index.ts";
import { type Kept, Truth } from "./cache-truth.ts";
import { CacheWatcher, type Retained } from "./cache-watcher.ts";
import { anyOf, chance, drawSeed, pick } from "./draw.ts";
import type { Budget, Counts, FuzzTarget } from "./target.ts";
import { isSameJson, namespaces, Things } from "./things.ts";
import { WatchServer } from "./watch-server.ts";

/** Random histories of one kind, read by informers with several views, compared with a plain `Map` of JSON. */
export function cacheTarget(makeInformers: typeof informers = informers): FuzzTarget {
  return {
    name: "cache",
    summary: "informers in random histories beside a Map of JSON, with retained events and objects",
    async run(rng, budget) {
      await using world = new CacheWorld(rng, makeInformers);
      return await world.live(budget);
    },
  };
}

interface WatchedView {
  readonly informer: Informer<Thing>;
  readonly selects: (object: Thing) => boolean;
  readonly kept: Kept;
  readonly watcher: CacheWatcher;
  /** A handler with a filter. */
  readonly filtered: CacheWatcher;
}

const withoutManagedFields: Kept = (object) => {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
};

const withExtraField = (object: Thing): Thing => ({ ...object, spec: "cut", extra: true }) as Thing; // one more field
const isEven = ({ metadata }: Thing): boolean => Number(metadata.resourceVersion) % 2 === 0;
const groupOf = ({ metadata }: Thing): string[] => [metadata.labels?.group ?? "none"];

/** Longest time in which all watches recover from everything that a round does. */
const longestRestMs = 600_000;

class CacheWorld implements AsyncDisposable {
  readonly #rng: Rng;
  readonly #clock = new VirtualClock();
  readonly #server: WatchServer;
  readonly #things: Things;
  readonly #truth = new Truth();
  readonly #factory: InformerFactory;
  readonly #views: WatchedView[];
  readonly #retained: Retained[] = [];
  readonly #logged: string[] = [];
  #retainedChecked = 0;
  #rests = 0;

  constructor(rng: Rng, makeInformers: typeof informers) {
    this.#rng = rng;
    this.#server = new WatchServer({
      rng: seededRng(drawSeed(rng)),
      streamsLists: chance(rng, 0.7),
      onVersion: (object) => this.#truth.record(object),
    });
    this.#things = new Things(rng, pick(rng, [3, 30, 200]));
    const clock = this.#clock;
    const client = clientOver(this.#server, { namespace: "default", clock, rng });
    const log = loggerTo(({ level, message }) => {
      if (level === "error") this.#logged.push(message);
    });
    this.#factory = makeInformers({ client, clock, rng, log });
    this.#views = this.#drawViews();
  }

  async live(budget: Budget): Promise<Counts> {
    for (let count = below(this.#rng, 100); count > 0; count--) this.#write();
    this.#factory.start({ signal: new AbortController().signal });
    for (let step = 0; step < 150 && !budget.spent; step++) {
      await this.#step();
      this.#checkWatchers();
      if (chance(this.#rng, 0.1)) await this.#compare();
      this.#checkRetained(below(this.#rng, 20));
    }
    await this.#compare();
    this.#checkRetained(this.#retained.length);
    this.#checkWatchers();
    return {
      histories: 1,
      events: this.#views.reduce((sum, { watcher, filtered }) => sum + watcher.events + filtered.events, 0),
      "objects compared": this.#truth.compared,
      "retained objects read": this.#retainedChecked,
      "times at rest": this.#rests,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#factory.close();
  }

  #drawViews(): WatchedView[] {
    const views: { view: View<Thing>; selects: WatchedView["selects"]; kept: Kept }[] = [
      { view: {}, selects: () => true, kept: withoutManagedFields },
      {
        view: { namespaces: ["a", "default"] },
        selects: ({ metadata }) => metadata.namespace !== "kube-system",
        kept: withoutManagedFields,
      },
      {
        view: { labels: { group: "a" }, pageSize: 5 },
        selects: ({ metadata }) => metadata.labels?.group === "a",
        kept: withoutManagedFields,
      },
      { view: { managedFields: true }, selects: () => true, kept: (object) => object },
      {
        view: { transform: withExtraField },
        selects: () => true,
        kept: (object) => withExtraField(withoutManagedFields(object) as Thing), // it keeps all but one field
      },
    ];
    const [first, ...others] = views;
    const drawn = [...(first ? [first] : []), ...others.filter(() => chance(this.#rng, 0.3))];
    return drawn.map(({ view, ...rest }) => ({ ...rest, ...this.#watch(view, rest.kept) }));
  }

  #watch(view: View<Thing>, kept: Kept): Pick<WatchedView, "informer" | "watcher" | "filtered"> {
    const informer = this.#factory.for(Thing, view);
    informer.synced.catch(() => {}); // an outage may be longer than the first list may take
    const options = { rng: this.#rng, truth: this.#truth, kept, retained: this.#retained };
    const [watcher, filtered] = [new CacheWatcher(options), new CacheWatcher(options)];
    informer.on(watcher.handler, chance(this.#rng, 0.3) ? { resyncMs: 30_000 } : {}).synced.catch(() => {});
    informer.on(filtered.handler, { filter: isEven }).synced.catch(() => {}); // both as above
    informer.index("group", groupOf);
    return { informer, watcher, filtered };
  }

  async #step(): Promise<void> {
    const rng = this.#rng;
    const server = this.#server;
    for (let count = below(rng, 20); count > 0; count--) this.#write();
    if (chance(rng, 0.1)) server.bookmark();
    if (chance(rng, 0.1)) await this.#ownWrite();
    if (chance(rng, 0.05)) {
      server.disconnect(pick(rng, ["end", "reset", "expired", "torn"]));
      for (let count = below(rng, 20); count > 0; count--) this.#write();
      if (chance(rng, 0.5)) server.compact();
    }
    await this.#clock.advance(pick(rng, [0, 0, 0, 100, 5_000, 40_000]));
  }

  #write(): void {
    const key = this.#things.key();
    const object = this.#server.objects.get(key);
    if (!object) this.#server.put(this.#things.create(key));
    else if (chance(this.#rng, 0.2)) this.#server.delete(key);
    else this.#server.put(this.#things.change(object));
  }

  /** The response to a write arrives before its event: reads through the overlay already see it. */
  async #ownWrite(): Promise<void> {
    const [view] = this.#views;
    if (!view?.informer.hasSynced) return;
    const { overlay } = view.informer;
    this.#server.holding = true;
    const key = this.#things.key();
    const object = this.#server.objects.get(key);
    const written = this.#server.put(object ? this.#things.change(object) : this.#things.create(key));
    const bytes = chance(this.#rng, 0.5) ? Buffer.from(JSON.stringify(written)) : undefined;
    overlay.recordWrite(JSON.parse(JSON.stringify(written)) as Thing, { bytes });
    const version = written.metadata.resourceVersion;
    this.#truth.check(overlay.get(key), { key, version, kept: view.kept }, "the overlay after an own write");
    this.#server.release();
  }

  /** Advances time until every view has caught up, then compares every way to read. */
  async #compare(): Promise<void> {
    for (let ms = 500; !this.#caughtUp() && ms < longestRestMs; ms *= 2) await this.#clock.advance(ms);
    this.#rests += 1;
    for (const view of this.#views) this.#compareView(view);
  }

  #caughtUp(): boolean {
    return this.#views.every(({ selects, watcher, filtered }) => {
      const expected = this.#versions(selects);
      return (
        isSameMap(watcher.known, expected) &&
        isSameMap(filtered.known, new Map([...expected].filter(([, version]) => Number(version) % 2 === 0)))
      );
    });
  }

  #compareView({ informer: { lister, undecodable }, selects, kept, watcher, filtered }: WatchedView): void {
    const objects = [...this.#server.objects].filter(([, object]) => selects(object));
    const versions = this.#versions(selects);
    expectSame("the keys of a cache", new Set(lister.keys()), new Set(versions.keys()));
    expectSame("what a handler knows", watcher.known, versions);
    const even = new Map([...versions].filter(([, version]) => Number(version) % 2 === 0));
    expectSame("what a handler with a filter knows", filtered.known, even);
    expectSame("undecodable objects", [...undecodable.keys()], []);
    for (const [key, { metadata }] of objects) {
      const claim = { key, version: metadata.resourceVersion, kept };
      this.#truth.check(lister.get(key), claim, "get");
      this.#truth.check(lister.view(key), claim, "view");
      if (chance(this.#rng, 0.05)) this.#retain(lister.view(key), claim);
    }
    const namespace = pick(this.#rng, namespaces);
    const inNamespace = objects.filter(([, { metadata }]) => metadata.namespace === namespace);
    expectSame(
      "list of a namespace",
      keysOf(lister.list({ namespace })),
      inNamespace.map(([key]) => key).sort(),
    );
    const inGroup = objects.filter(([, { metadata }]) => metadata.labels?.group === "b").map(([key]) => key);
    expectSame("by an index", keysOf(lister.by("group", "b")), inGroup.sort());
    expectSame("list by label", keysOf(lister.list({ labels: { group: "b" } })), inGroup);
  }

  #versions(selects: WatchedView["selects"]): Map<string, string> {
    const objects = [...this.#server.objects].filter(([, object]) => selects(object));
    return new Map(objects.map(([key, { metadata }]) => [key, metadata.resourceVersion]));
  }

  #retain(object: unknown, claim: Retained["claim"]): void {
    this.#retained.push({ read: () => object, claim, where: "a retained view" });
  }

  /** Compares some of the retained values, in any order. */
  #checkRetained(count: number): void {
    for (let left = count; left > 0; left--) {
      const retained = anyOf(this.#rng, this.#retained);
      if (!retained) return;
      const last = this.#retained.pop();
      const at = this.#retained.indexOf(retained);
      if (last && at >= 0) this.#retained[at] = last;
      this.#retainedChecked += 1;
      this.#truth.check(retained.read(), retained.claim, retained.where);
    }
  }

  #checkWatchers(): void {
    const errors = this.#views.flatMap(({ watcher, filtered }) => [...watcher.errors, ...filtered.errors]);
    expectSame("errors of handlers", errors.slice(0, 3), []);
    expectSame("logged errors", this.#logged.slice(0, 3), []);
  }
}

function keyText({ metadata }: Thing): string {
  return `${metadata.namespace}/${metadata.name}`;
}

function keysOf(objects: readonly Thing[]): string[] {
  return objects.map(keyText).sort();
}

function isSameMap(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([key, value]) => other.get(key) === value);
}

function expectSame(what: string, found: Iterable<unknown>, expected: Iterable<unknown>): void {
  const [got, wanted] = [[...found], [...expected]].map((values) =>
    values.map((value) => JSON.stringify(value)).sort(),
  );
  if (!isSameJson(got, wanted)) throw new Error(`expected ${what} to be ${wanted}, got ${got}`);
}
