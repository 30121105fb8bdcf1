import { describe, expect, test } from "vitest";
import { metadataOnly, type ObjectMeta, type PartialObject } from "../api/index.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import { type LogEntry, loggerTo, seededRng, VirtualClock } from "../base/index.ts";
import { clientOver } from "../client/index.ts";
import {
  DeltaFifo,
  Indexer,
  type Reflector,
  type ReflectorSink,
  type ReflectorSource,
  reflector,
} from "./index.ts";
import { deltasText, poppedFrom } from "./parts/fifo.fixture.ts";
import { refused, type Scripted, ScriptedTransport, Stream } from "./reflector/scripted-transport.fixture.ts";
import {
  added,
  bookmark,
  deleted,
  error,
  initialEnd,
  list,
  modified,
  object,
} from "./reflector/test-reflector.fixture.ts";
import { stateOf } from "./test-informers.fixture.ts";

/** A reflector on a scripted transport and a virtual clock, until it is disposed. */
class World implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly transport: ScriptedTransport;
  readonly logged: LogEntry[] = [];
  readonly reflector: Reflector;
  readonly #ended = new AbortController();
  readonly running: Promise<void>;

  constructor(
    replies: readonly Scripted[],
    sink: ReflectorSink<ConfigMap>,
    view: ReflectorSource<ConfigMap>["view"] = {},
  ) {
    const { clock } = this;
    const rng = seededRng(1);
    this.transport = new ScriptedTransport(...replies);
    const client = clientOver(this.transport, { namespace: "home", clock, rng });
    const log = loggerTo((entry) => this.logged.push(entry));
    this.reflector = reflector({ client, kind: ConfigMap, view, sink, clock, rng, log });
    this.running = this.reflector.run({ signal: this.#ended.signal });
  }

  get errors(): unknown[] {
    return this.logged
      .filter(({ level }) => level === "error")
      .map(({ message, fields }) => [message, fields.key]);
  }

  async end(): Promise<void> {
    this.#ended.abort(new Error("the test is over"));
    await this.running;
    expect(this.clock.timers).toBe(0);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end();
  }
}

/** A sink that records its calls: `add a@1`. */
class Recording implements ReflectorSink<ConfigMap> {
  readonly calls: string[] = [];
  backlog = 0;
  #drained: (() => void)[] = [];
  add = this.#one("add");
  update = this.#one("update");
  delete = this.#one("delete");

  replace(objects: readonly ConfigMap[], resourceVersion: string): void {
    this.calls.push(["replace", resourceVersion, ...objects.map(textOf)].join(" "));
  }

  bookmark(resourceVersion: string): void {
    this.calls.push(`bookmark ${resourceVersion}`);
  }

  whenDrained(run: () => void): void {
    this.#drained.push(run);
  }

  drain(): void {
    this.backlog = 0;
    for (const run of this.#drained.splice(0)) run();
  }

  #one(method: string): (each: ConfigMap) => void {
    return (each) => void this.calls.push(`${method} ${textOf(each)}`);
  }
}

function textOf({ metadata }: { readonly metadata: ObjectMeta }): string {
  return `${metadata.name}@${metadata.resourceVersion}`;
}

const undecodable = { type: "MODIFIED", object: { ...object("a", "6"), kind: "Secret" } };

test("a list and every later change reach the sink in order, with bookmarks", async () => {
  const stream = new Stream().lines(added("a", "3"), added("b", "1"), initialEnd("5"));
  const sink = new Recording();
  await using world = new World([stream], sink);
  await world.clock.advance(0);
  expect([world.reflector.hasSynced, await stateOf(world.reflector.synced)]).toEqual([true, "resolved"]);
  stream.lines(added("c", "6"), modified("a", "7"), bookmark("8"), deleted("b", "9"));
  expect(sink.calls).toEqual(["replace 5 a@3 b@1", "add c@6", "update a@7", "bookmark 8", "delete b@9"]);
  expect(world.reflector.health).toMatchObject({ phase: "watching", resourceVersion: "9" });
});

test("a DeltaFifo over an Indexer gets tombstones of what was deleted while the watch was down", async () => {
  const stream = new Stream().lines(added("a", "3"), added("b", "1"), initialEnd("5"));
  const again = new Stream().lines(added("b", "8"), initialEnd("9"));
  const known = new Indexer<ConfigMap>();
  const fifo = new DeltaFifo<ConfigMap>({ known });
  await using world = new World([stream, again], fifo);
  await world.clock.advance(0);
  expect(fifo.keys()).toEqual(["home/a", "home/b"]);
  for (const each of ["a", "b"]) {
    await fifo.pop((_, [delta]) => known.add(delta.object));
    expect(known.get(`home/${each}`)).toEqual(object(each, each === "a" ? "3" : "1"));
  }
  stream.lines(error(410, "Expired"));
  await world.clock.advanceToNext();
  await world.clock.advance(0);
  expect(await poppedFrom(fifo)).toEqual(["home/b: replaced b@8", "home/a: missed deleted a@3"]);
});

test("an Indexer as sink mirrors the collection", async () => {
  const stream = new Stream().lines(added("a", "3"), added("b", "1"), initialEnd("5"));
  const sink = new Indexer<ConfigMap>();
  await using world = new World([stream], sink);
  await world.clock.advance(0);
  stream.lines(modified("a", "6"), deleted("b", "7"), added("c", "8"));
  expect(sink.list()).toEqual([object("a", "6"), object("c", "8")]);
});

test("a broken watch resumes without a list", async () => {
  const stream = new Stream().lines(initialEnd("5"), added("a", "6"));
  const sink = new Recording();
  await using world = new World([stream, new Stream().lines(modified("a", "7"))], sink);
  await world.clock.advance(0);
  stream.cut();
  await world.clock.advanceToNext();
  await world.clock.advance(0);
  expect(sink.calls).toEqual(["replace 5", "add a@6", "update a@7"]);
  expect(world.transport.paths.at(-1)).toContain("resourceVersion=6");
});

test("the namespace, selectors and page size of the view are requested, and its transform is applied", async () => {
  const sink = new Indexer<ConfigMap>();
  const view = {
    namespace: "home",
    labels: { app: "web" },
    fields: "metadata.name=a",
    pageSize: 7,
    transform: (map: ConfigMap): ConfigMap => ({ ...map, data: { reduced: "yes" } }),
  };
  await using world = new World([refused({ code: 422 }), list("5", [object("a", "3")])], sink, view);
  await world.clock.advance(0);
  expect(world.transport.paths.slice(0, 2).map((path) => path.replace(/timeoutSeconds=\d+/, ""))).toEqual([
    expect.stringMatching(
      /^\/api\/v1\/namespaces\/home\/configmaps\?.*labelSelector=app%3Dweb&fieldSelector=metadata.name%3Da.*sendInitialEvents/,
    ),
    expect.stringMatching(/labelSelector=app%3Dweb&fieldSelector=metadata.name%3Da&limit=7$/),
  ]);
  expect(sink.get("home/a")?.data).toEqual({ reduced: "yes" });
});

test("metadata only", async () => {
  const transport = new ScriptedTransport(new Stream().lines(initialEnd("5")));
  const clock = new VirtualClock();
  const client = clientOver(transport, { namespace: "home", clock });
  const sink = new Indexer<PartialObject>();
  const ended = new AbortController();
  const running = reflector({ client, kind: metadataOnly(ConfigMap), sink, clock }).run(ended);
  await clock.advance(0);
  transport.streams[0]?.lines({ type: "ADDED", object: partial("a") });
  expect(sink.list()).toEqual([partial("a")]);
  ended.abort(new Error("the test is over"));
  await running;
});

const partial = (name: string) => ({
  ...object(name, "6"),
  apiVersion: "meta.k8s.io/v1",
  kind: "PartialObjectMetadata",
});

describe("undecodable objects", () => {
  test("of a watch are reported, and the sink keeps their last version, also in the next list", async () => {
    const stream = new Stream().lines(added("a", "3"), added("b", "3"), initialEnd("5"));
    const again = new Stream().lines({ ...undecodable, type: "ADDED" }, added("b", "8"), initialEnd("9"));
    const sink = new Indexer<ConfigMap>();
    await using world = new World([stream, again], sink);
    await world.clock.advance(0);
    stream.lines(undecodable);
    expect([...world.reflector.undecodable]).toEqual([
      ["home/a", new TypeError("expected a ConfigMap, got a Secret")],
    ]);
    stream.lines(error(410, "Expired"));
    await world.clock.advanceToNext();
    await world.clock.advance(0);
    expect(sink.list()).toEqual([object("a", "3"), object("b", "8")]);
    expect(world.errors).toEqual([
      ["object undecodable", "home/a"],
      ["object undecodable", "home/a"],
    ]);
    again.lines(modified("a", "10"));
    expect([sink.get("home/a"), [...world.reflector.undecodable]]).toEqual([object("a", "10"), []]);
  });

  test("that are deleted are deleted in their last version", async () => {
    const stream = new Stream().lines(added("a", "3"), initialEnd("5"));
    const fifo = new DeltaFifo<ConfigMap>();
    await using world = new World([stream], fifo);
    await world.clock.advance(0);
    stream.lines(undecodable, { ...undecodable, type: "DELETED" });
    expect(await poppedFrom(fifo)).toEqual(["initial home/a: replaced a@3, deleted a@3"]);
    expect([...world.reflector.undecodable]).toEqual([]);
  });

  test("with an invalid name are in no sink", async () => {
    const invalid = {
      ...object("a", "3"),
      metadata: { name: "a/b", namespace: "home", resourceVersion: "3" },
    };
    const sink = new Indexer<ConfigMap>();
    const stream = new Stream().lines({ type: "ADDED", object: invalid }, initialEnd("5"));
    await using world = new World([stream], sink);
    await world.clock.advance(0);
    stream.lines({ type: "DELETED", object: invalid });
    expect([world.reflector.hasSynced, sink.size, world.reflector.health.phase]).toEqual([
      true,
      0,
      "watching",
    ]);
  });

  test("are missing from lists of a sink without get", async () => {
    const sink = new Recording();
    await using world = new World(
      [new Stream().lines({ ...undecodable, type: "ADDED" }, initialEnd("9"))],
      sink,
    );
    await world.clock.advance(0);
    expect([sink.calls, [...world.reflector.undecodable.keys()]]).toEqual([["replace 9"], ["home/a"]]);
  });
});

describe("a sink that throws", () => {
  test("for a change gets a new list after a backoff, so that nothing is lost", async () => {
    const stream = new Stream().lines(initialEnd("5"));
    const sink = new Recording();
    let failures = 1;
    const add = sink.add;
    sink.add = (each) => {
      if (failures-- > 0) throw new Error("full");
      add(each);
    };
    await using world = new World([stream, new Stream().lines(added("a", "6"), initialEnd("6"))], sink);
    await world.clock.advance(0);
    stream.lines(added("a", "6"));
    await world.clock.advance(0);
    expect({ calls: sink.calls, ...world.reflector.health }).toMatchObject({
      calls: ["replace 5"],
      phase: "waiting",
      lastError: { message: "add of the sink failed: full", cause: new Error("full") },
    });
    await world.clock.advanceToNext();
    await world.clock.advance(0);
    expect(sink.calls).toEqual(["replace 5", "replace 6 a@6"]);
  });

  test("for a list gets it again", async () => {
    const sink = new Recording();
    let failures = 1;
    const replace = sink.replace.bind(sink);
    sink.replace = (...args) => {
      if (failures-- > 0) throw new Error("full");
      replace(...args);
    };
    const listed = (): Stream => new Stream().lines(added("a", "3"), initialEnd("5"));
    await using world = new World([listed(), listed()], sink);
    await world.clock.advance(0);
    expect([sink.calls, world.reflector.hasSynced]).toEqual([[], false]);
    await world.clock.advanceToNext();
    await world.clock.advance(0);
    expect([sink.calls, world.reflector.hasSynced]).toEqual([["replace 5 a@3"], true]);
  });
});

test("a sink with a backlog of more than 1,000 stops the reading until it is drained", async () => {
  const stream = new Stream().lines(initialEnd("5"));
  const sink = new Recording();
  await using world = new World([stream], sink);
  await world.clock.advance(0);
  sink.backlog = 1001;
  stream.lines(added("a", "6"));
  expect(stream.paused).toBe(true);
  sink.drain();
  expect(stream.paused).toBe(false);
});

describe("a resync", () => {
  test("is called at the interval, from the first list on", async () => {
    const known = new Indexer<ConfigMap>();
    const fifo = new DeltaFifo<ConfigMap>({ known });
    const stream = new Stream();
    await using world = new World([stream], fifo, { resyncMs: 5_000 });
    await world.clock.advance(5_000);
    expect(fifo.size).toBe(0);
    stream.lines(added("a", "3"), initialEnd("5"));
    await fifo.pop((_, [{ object: added }]) => known.add(added));
    await world.clock.advance(5_000);
    const lines: string[] = [];
    await fifo.pop((key, deltas) => lines.push(deltasText(key, deltas)));
    expect(lines).toEqual(["home/a: sync a@3"]);
  });

  test("that throws is logged, and the watch continues", async () => {
    const sink: ReflectorSink<ConfigMap> = Object.assign(new Recording(), {
      resync() {
        throw new Error("no");
      },
    });
    await using world = new World([new Stream().lines(initialEnd("5"))], sink, { resyncMs: 5_000 });
    await world.clock.advance(5_000);
    expect([world.errors, world.transport.paths.length]).toEqual([[["resync failed", undefined]], 1]);
  });

  test("needs a sink that has one", () => {
    const sink = new Indexer<ConfigMap>();
    expect(() => new World([], sink, { resyncMs: 5_000 })).toThrow(
      "expected a sink with a method `resync` for the option resyncMs, got one without it",
    );
  });
});

test("run may be called once, and synced rejects if it ends before the first list", async () => {
  const world = new World([], new Recording());
  const synced = stateOf(world.reflector.synced);
  await expect(world.reflector.run(new AbortController())).rejects.toThrow("reflector already started");
  await world.end();
  expect(await synced).toMatchObject({
    message: "reflector ended before its first list",
    cause: new Error("the test is over"),
  });
});

test("the empty namespace is refused", () => {
  expect(() => new World([], new Recording(), { namespace: "" })).toThrow(
    'expected namespace[0] to be the name of a namespace, got ""; leave `namespace` out for all namespaces',
  );
});
