import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keyOf } from "../../api/index.ts";
import { type Clock, VirtualClock } from "../../base/index.ts";
import { Overlay } from "../overlay.ts";
import type { IterateOptions, Iteration } from "./iteration.ts";
import { entryOf, Thing, thing } from "./objects.fixture.ts";
import { type Lister, Store } from "./store.ts";

/** A clock on which reading an object takes 1 ms: it advances whenever it is read. */
class TickingClock implements Clock {
  readonly #clock = new VirtualClock();
  #elapsedMs = 0;

  now(): number {
    return this.#clock.now() + this.#elapsedMs;
  }

  monotonic(): number {
    this.#elapsedMs += 1;
    return this.#elapsedMs;
  }

  timer(): never {
    throw new Error("expected no timer: pauses are turns of the event loop");
  }
}

function made(key: string, version: number, labels: Record<string, string> = {}): Thing {
  return thing(key, version, {
    metadata: { labels, uid: key } as unknown as Thing["metadata"],
    spec: { app: labels.app },
  });
}

/** A store and the overlay over it, both with an index of `spec.app`. */
class World {
  readonly store: Store<Thing>;
  readonly overlay: Overlay<Thing>;

  constructor(objects: readonly Thing[] = [], clock: Clock = new VirtualClock()) {
    const byApp = ({ spec }: Thing): string[] => [String((spec as { app?: string }).app)];
    this.store = new Store<Thing>({ clock });
    const { store } = this;
    this.overlay = new Overlay<Thing>({
      kind: Thing,
      store,
      clock,
      covers: () => true,
      appliedVersion: () => "1",
    });
    this.store.index("app", byApp);
    this.overlay.index("app", byApp);
    for (const object of objects) this.put(object);
  }

  /** The watch delivers this version. */
  put(object: Thing): void {
    this.store.put(entryOf(object, this.store.slab));
  }
}

/** Keys and versions, in the order in which they were read. */
async function read(iteration: Iteration<Thing>): Promise<string[]> {
  const found: string[] = [];
  for await (const { metadata } of iteration) {
    found.push(`${metadata.namespace ?? ""}/${metadata.name}@${metadata.resourceVersion}`);
  }
  return found;
}

const things = [
  made("a/one", 1, { app: "web" }),
  made("a/two", 2, { app: "db" }),
  made("b/one", 3, { app: "web", canary: "yes" }),
  made("global", 4, { app: "web" }),
];

describe.each<["store" | "overlay"]>([["store"], ["overlay"]])("an iteration over the %s", (name) => {
  const lister = (world: World): Lister<Thing> => world[name];

  test.each<[IterateOptions, string[]]>([
    [{}, ["a/one@1", "a/two@2", "b/one@3", "/global@4"]],
    [{ namespace: "a" }, ["a/one@1", "a/two@2"]],
    [{ namespace: "none" }, []],
    [{ labels: { app: "web" } }, ["a/one@1", "b/one@3", "/global@4"]],
    [{ labels: "app=web,!canary", namespace: "a" }, ["a/one@1"]],
    [{ index: ["app", "web"] }, ["a/one@1", "b/one@3", "/global@4"]],
    [{ index: ["app", "web"], namespace: "b" }, ["b/one@3"]],
    [{ index: ["namespace", "a"], labels: { app: "db" } }, ["a/two@2"]],
    [{ where: ({ labels }) => labels?.canary === undefined, namespace: "b" }, []],
    [
      { where: ({ resourceVersion }) => resourceVersion > "2", index: ["app", "web"] },
      ["b/one@3", "/global@4"],
    ],
  ])("with %j reads the objects that match", async (options, expected) => {
    const world = new World(things);
    expect(await read(lister(world).iterate(options))).toEqual(expected);
    expect((await lister(world).iterate(options).toArray()).length).toBe(expected.length);
  });

  test("throws for an unknown index, before anything is read", () => {
    const world = new World(things);
    expect(() => lister(world).iterate({ index: ["node", "n1"] })).toThrow("expected the name of an index");
  });

  test("returns objects that belong to the caller", async () => {
    const world = new World(things);
    for await (const object of lister(world).iterate()) object.spec = "changed";
    expect(await lister(world).iterate().toArray()).toEqual(things);
  });

  test.each(["web", "none"])(
    "pauses every 10 ms while it reads objects, also if only %s match",
    async (app) => {
      const many = Array.from({ length: 100 }, (_, index) => made(`a/${index}`, index + 1, { app: "web" }));
      const pausesOf = async (work: (iteration: Iteration<Thing>) => Promise<unknown>): Promise<number> => {
        const world = new World(many, new TickingClock());
        const turns = countTurns();
        await work(lister(world).iterate({ labels: { app } }));
        return turns.stop();
      };
      expect(await pausesOf((iteration) => iteration.toArray())).toBe(10);
      expect(await pausesOf(read)).toBe(10);
    },
  );

  test("reads an object in its newest version, and not one that was deleted or does not match any more", async () => {
    const world = new World([...things, made("b/gone", 5, { app: "web" })]);
    const found: string[] = [];
    for await (const { metadata } of lister(world).iterate({
      index: ["app", "web"],
      labels: { app: "web" },
    })) {
      found.push(`${metadata.name}@${metadata.resourceVersion}`);
      if (found.length > 1) continue;
      world.put(made("b/one", 10, { app: "web" }));
      world.put(made("a/new", 11, { app: "web" }));
      world.put(made("global", 12, { app: "db" }));
      world.store.remove("b", "gone");
    }
    expect(found).toEqual(["one@1", "one@10"]);
  });

  test("ends early if the loop does", async () => {
    const world = new World(things);
    for await (const { metadata } of lister(world).iterate()) {
      expect(metadata.name).toBe("one");
      break;
    }
  });
});

/** Counts the turns of the event loop until `stop`. */
function countTurns(): { stop(): number } {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  return {
    stop() {
      clearImmediate(next);
      return turns;
    },
  };
}

const version = fc.integer({ min: 2, max: 99 });
const labels = fc.record({ app: fc.constantFrom("web", "db") });
const key = fc.constantFrom("a/one", "a/two", "b/one", "b/two", "global");

interface Change {
  readonly how: "watched" | "wrote" | "deleted" | "removed";
  readonly key: string;
  readonly version: number;
  readonly labels: Record<string, string>;
}

const how = fc.constantFrom<Change["how"][]>("watched", "wrote", "deleted", "removed");
const change: fc.Arbitrary<Change> = fc.record({ how, key, version, labels });
const options: fc.Arbitrary<IterateOptions> = fc.record(
  {
    namespace: fc.constantFrom("a", "b"),
    labels,
    index: fc.constantFrom<[string, string][]>(["app", "web"], ["app", "db"], ["namespace", "a"]),
  },
  { requiredKeys: [] },
);

test("after any changes and own writes, an iteration reads what list and by return", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), options, async (changes, selected) => {
      const world = new World();
      for (const each of changes) apply(world, each);
      const { index, ...selection } = selected;
      const listed = world.overlay.list(selection).map(text);
      const indexed = index ? world.overlay.by(...index).map(text) : listed;
      const iterated = (await world.overlay.iterate(selected).toArray()).map(text);
      expect(iterated.sort()).toEqual(listed.filter((each) => indexed.includes(each)).sort());
      expect((await read(world.overlay.iterate(selected))).length).toBe(iterated.length);
    }),
  );
});

test("while the cache changes, an iteration reads no object twice, and every object that stays once", async () => {
  const changes = fc.array(change, { minLength: 4, maxLength: 16 });
  await fc.assert(
    fc.asyncProperty(changes, changes, async (before, after) => {
      const world = new World();
      for (const each of before) apply(world, each);
      const changed = new Set(after.map((each) => each.key));
      const keys = [...world.overlay.keys()];
      const found: string[] = [];
      for await (const object of world.overlay.iterate()) {
        const next = after.slice(2 * found.length, 2 * found.length + 2);
        found.push(keyOf(object));
        for (const each of next) apply(world, each);
      }
      expect(new Set(found).size).toBe(found.length);
      expect(found).toEqual(expect.arrayContaining(keys.filter((each) => !changed.has(each))));
    }),
  );
});

test("an own write that the watch delivers meanwhile is read once", async () => {
  const world = new World([made("a/one", 2), made("a/two", 3)]);
  world.overlay.recordWrite(made("a/new", 4));
  const found: string[] = [];
  for await (const object of world.overlay.iterate()) {
    if (found.length === 0) world.put(made("a/new", 4));
    found.push(keyOf(object));
  }
  expect(found.sort()).toEqual(["a/new", "a/one", "a/two"]);
});

function apply({ store, overlay }: World, { how, key: name, version: at, labels: having }: Change): void {
  const object = made(name, at, having);
  const { namespace = "", uid } = object.metadata;
  if (how === "watched") store.put(entryOf(object, store.slab));
  else if (how === "wrote") overlay.recordWrite(object);
  else if (how === "deleted") overlay.recordDelete(object.metadata, { uid });
  else store.remove(namespace, object.metadata.name);
}

function text(object: Thing): string {
  return JSON.stringify(object);
}
