import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { Feed, loggerTo, seededRng, VirtualClock } from "../base/index.ts";
import { ApiError } from "../client/index.ts";
import {
  Indexer,
  type ListedPage,
  type ListerOptions,
  type ListerWatcher,
  type ListerWatcherEvent,
  type ReflectorSink,
  reflector,
  type WatcherOptions,
} from "./index.ts";
import { configMap } from "./parts/fifo.fixture.ts";

type Watch = Feed<ListerWatcherEvent<ConfigMap>>;

/** A collection that a test changes. It records its requests. */
class Source implements ListerWatcher<ConfigMap> {
  readonly requests: string[] = [];
  readonly signals: AbortSignal[] = [];
  readonly watches: Watch[] = [];
  readonly #pages: (ListedPage<ConfigMap> | Error)[];

  constructor(...pages: readonly (ListedPage<ConfigMap> | Error)[]) {
    this.#pages = [...pages];
  }

  async list({ resourceVersion, limit, continue: token }: ListerOptions): Promise<ListedPage<ConfigMap>> {
    this.requests.push(`list ${resourceVersion ?? "newest"} limit ${limit} token ${token}`);
    const page = this.#pages.shift() ?? { items: [], resourceVersion: "1" };
    if (page instanceof Error) throw page;
    return page;
  }

  watch({ resourceVersion, signal }: WatcherOptions): Watch {
    this.requests.push(`watch ${resourceVersion}`);
    const watch: Watch = new Feed();
    this.watches.push(watch);
    this.signals.push(signal);
    return watch;
  }

  /** Sends an event on the newest watch. */
  send(type: "added" | "modified" | "deleted", text: string): void {
    this.watches.at(-1)?.push({ type, object: configMap(text) });
  }
}

/** A reflector of a source into an indexer, on virtual time. */
class World implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly reflector;
  readonly #ended = new AbortController();
  readonly #running: Promise<void>;

  constructor(listerWatcher: ListerWatcher<ConfigMap>, sink: ReflectorSink<ConfigMap>) {
    const { clock } = this;
    const log = loggerTo(() => {});
    this.reflector = reflector({ listerWatcher, kind: ConfigMap, sink, clock, rng: seededRng(1), log });
    this.#running = this.reflector.run({ signal: this.#ended.signal });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort(new Error("the test is over"));
    await this.#running;
    expect(this.clock.timers).toBe(0);
  }
}

const page = (resourceVersion: string, ...objects: readonly string[]): ListedPage<ConfigMap> => ({
  items: objects.map((text) => configMap(text)),
  resourceVersion,
});

function versions(sink: Indexer<ConfigMap>): (string | undefined)[] {
  return sink.views().map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`);
}

test("a lister-watcher is listed by pages and watched from the version of its list", async () => {
  const source = new Source({ ...page("5", "a@1", "b@2"), continue: "next" }, page("5", "c@3"));
  const sink = new Indexer<ConfigMap>();
  await using world = new World(source, sink);
  await world.clock.advance(0);
  expect(source.requests).toEqual([
    "list newest limit 500 token undefined",
    "list newest limit 500 token next",
    "watch 5",
  ]);
  source.send("added", "d@6");
  source.send("modified", "a@7");
  source.send("deleted", "b@8");
  source.watches[0]?.push({ type: "bookmark", resourceVersion: "9" });
  await world.clock.advance(0);
  expect(versions(sink)).toEqual(["a@7", "c@3", "d@6"]);
  expect(world.reflector.health).toMatchObject({ phase: "watching", resourceVersion: "9" });
});

test("objects reach the sink with the type of the kind, and as they were given", async () => {
  const { apiVersion: _, kind: __, ...untyped } = configMap("a@1", { "😀": '"\\\u2028' });
  const source = new Source({ items: [untyped as ConfigMap], resourceVersion: "5" });
  const sink = new Indexer<ConfigMap>();
  await using world = new World(source, sink);
  await world.clock.advance(0);
  expect(sink.list()).toEqual([configMap("a@1", { "😀": '"\\\u2028' })]);
});

test("a list of many objects arrives complete", async () => {
  const texts = Array.from({ length: 250 }, (_, index) => `a${index}@1`);
  const sink = new Indexer<ConfigMap>();
  await using world = new World(new Source(page("5", ...texts)), sink);
  await world.clock.advance(0);
  expect(versions(sink)).toEqual(texts);
});

test("a watch that ends is resumed from the last version", async () => {
  const source = new Source(page("5"));
  const sink = new Indexer<ConfigMap>();
  await using world = new World(source, sink);
  await world.clock.advance(0);
  source.send("added", "a@6");
  await world.clock.advance(0);
  source.watches[0]?.end();
  await world.clock.advanceToNext();
  await world.clock.advance(0);
  source.send("added", "b@7");
  await world.clock.advance(0);
  expect([source.requests.slice(1), versions(sink)]).toEqual([
    ["watch 5", "watch 6"],
    ["a@6", "b@7"],
  ]);
});

test("an expired version, or another error of the watch, lists again at least as new", async () => {
  for (const error of [new ApiError("too old", { code: 410, reason: "Expired" }), new Error("broken")]) {
    const source = new Source(page("5", "a@1"), page("9", "b@8"));
    const sink = new Indexer<ConfigMap>();
    await using world = new World(source, sink);
    await world.clock.advance(0);
    source.watches[0]?.fail(error);
    await world.clock.advanceToNext();
    await world.clock.advance(0);
    expect(source.requests.slice(1)).toEqual([
      "watch 5",
      "list 5 limit undefined token undefined",
      "watch 9",
    ]);
    expect(versions(sink)).toEqual(["b@8"]);
  }
});

test("a list that fails is retried with a backoff, and its error is in the health", async () => {
  const source = new Source(new Error("no"), page("5", "a@1"));
  const sink = new Indexer<ConfigMap>();
  await using world = new World(source, sink);
  await world.clock.advance(0);
  expect(world.reflector.health).toMatchObject({ phase: "waiting", lastError: new Error("no") });
  await world.clock.advanceToNext();
  await world.clock.advance(0);
  expect(versions(sink)).toEqual(["a@1"]);
});

test("a watch that sends nothing for 70 s is replaced, and its signal aborts", async () => {
  const source = new Source(page("5"));
  await using world = new World(source, new Indexer<ConfigMap>());
  await world.clock.advance(69_999);
  expect([source.requests.length, source.signals[0]?.aborted]).toEqual([2, false]);
  await world.clock.advance(1_001);
  expect([source.requests.slice(2), source.signals[0]?.aborted]).toEqual([["watch 5"], true]);
});

test("the signal of the reflector ends the watch, even of a source that ignores it", async () => {
  const source = new Source(page("5"));
  {
    await using world = new World(source, new Indexer<ConfigMap>());
    await world.clock.advance(0);
  }
  expect(source.signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test("a full sink pauses the watch", async () => {
  const source = new Source(page("5"));
  const added: string[] = [];
  let drained = (): void => {};
  const sink = {
    add: ({ metadata }: ConfigMap) => void added.push(metadata.name),
    update: () => {},
    delete: () => {},
    replace: () => {},
    backlog: 0,
    whenDrained: (run: () => void) => {
      drained = run;
    },
  };
  await using world = new World(source, sink);
  await world.clock.advance(0);
  sink.backlog = 1001;
  for (const text of ["a@6", "b@7", "c@8"]) source.send("added", text);
  await world.clock.advance(0);
  const paused = [...added];
  sink.backlog = 0;
  drained();
  await world.clock.advance(0);
  expect([paused, added]).toEqual([["a"], ["a", "b", "c"]]);
});
