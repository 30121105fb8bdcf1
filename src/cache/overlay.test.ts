import { expect, test } from "vitest";
import { entryOf, Thing, thing } from "./objects.fixture.ts";
import { Overlay } from "./overlay.ts";
import { Store } from "./store.ts";

interface World {
  readonly store: Store<Thing>;
  readonly overlay: Overlay<Thing>;
  /** What the watch tells. */
  came(object: Thing): void;
  went(object: Thing): void;
}

interface Made {
  readonly uid?: string | undefined;
  readonly labels?: Record<string, string> | undefined;
  readonly size?: string | undefined;
}

/** A version of a thing, of which it is said how it was made. */
function made(name: string, version: number, { uid = "1", labels, size }: Made = {}): Thing {
  return thing(`home/${name}`, version, {
    metadata: { uid, ...(labels && { labels }) } as Thing["metadata"],
    spec: { size },
  });
}

function worldOf(...objects: readonly Thing[]): World {
  const store = new Store<Thing>();
  const covers = ({ metadata }: Thing): boolean => metadata.labels?.hidden === undefined;
  const overlay = new Overlay<Thing>({ kind: Thing, store, covers });
  const bySize = ({ spec }: Thing): string[] => [
    String((spec as { readonly size?: unknown } | undefined)?.size),
  ];
  store.index("size", bySize);
  overlay.index("size", bySize);
  const reach = ({ metadata }: Thing): void => store.reach(metadata.resourceVersion);
  const came = (object: Thing): void => {
    store.put(entryOf(object, store.slab));
    reach(object);
  };
  const went = (object: Thing): void => {
    store.remove("home", object.metadata.name);
    reach(object);
  };
  for (const object of objects) came(object);
  return { store, overlay, came, went };
}

/** Names and versions, in the order of names. */
function versions(things: readonly { readonly metadata: Thing["metadata"] }[]): string[] {
  return things.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).sort();
}

/** The same by every way to read. */
function read({ overlay }: World): unknown[] {
  const ways = [
    versions(overlay.list()),
    versions(overlay.views() as Thing[]),
    [...overlay.keys()].sort().flatMap((key) => versions([overlay.get(key)].flatMap((each) => each ?? []))),
    [...overlay.keys()]
      .sort()
      .flatMap((key) => versions([overlay.glance(key) as Thing].flatMap((each) => each ?? []))),
    [...overlay.keys()].sort().flatMap((key) => versions([overlay.view(key) as Thing])),
    versions(overlay.by("namespace", "home")),
    versions(overlay.viewsBy("namespace", "home") as Thing[]),
  ];
  expect(ways).toEqual(ways.map(() => ways[0]));
  return ways[0] ?? [];
}

test("what was written is read at once, by get, list and index, until it comes back", () => {
  const world = worldOf(made("a", 1), made("b", 2));
  world.overlay.wrote(made("a", 5, { size: "big" }));
  world.overlay.wrote(made("c", 6, { size: "big" }));
  expect(read(world)).toEqual(["a@5", "b@2", "c@6"]);
  expect(versions(world.overlay.by("size", "big"))).toEqual(["a@5", "c@6"]);
  expect(versions(world.overlay.by("size", "undefined"))).toEqual(["b@2"]);
  world.came(made("a", 5, { size: "big" }));
  expect([world.overlay.size, read(world)]).toEqual([1, ["a@5", "b@2", "c@6"]]);
  world.came(made("c", 7, { size: "small" }));
  expect([world.overlay.size, read(world)]).toEqual([0, ["a@5", "b@2", "c@7"]]);
  expect(versions(world.overlay.by("size", "big"))).toEqual(["a@5"]);
});

test("selectors are asked of what was written", () => {
  const world = worldOf(made("a", 1, { labels: { app: "x" } }), made("b", 2, { labels: { app: "y" } }));
  world.overlay.wrote(made("a", 5, { labels: { app: "y" } }));
  expect(versions(world.overlay.list({ labels: { app: "y" } }))).toEqual(["a@5", "b@2"]);
  expect(versions(world.overlay.list({ labels: { app: "x" } }))).toEqual([]);
  expect(versions(world.overlay.list({ namespace: "other" }))).toEqual([]);
});

test("a version of the store that is older does not hide what was written, one as new or newer does", () => {
  const world = worldOf(made("a", 1));
  world.overlay.wrote(made("a", 5));
  world.came(made("a", 3));
  expect(read(world)).toEqual(["a@5"]);
  world.came(made("a", 9));
  expect(read(world)).toEqual(["a@9"]);
});

test("what was written goes when the store has it, though the store as a whole is not so far", () => {
  const world = worldOf(made("a", 1), made("b", 2));
  for (const name of ["a", "b"]) world.overlay.wrote(made(name, 5));
  for (const [name, version] of [["a", 5] as const, ["b", 7] as const])
    world.store.put(entryOf(made(name, version), world.store.slab));
  expect(world.store.resourceVersion).toBe("2");
  expect([read(world), world.overlay.size]).toEqual([["a@5", "b@7"], 0]);
});

test("of two writes the newer is read, in whatever order their answers come", () => {
  const world = worldOf(made("a", 1));
  world.overlay.wrote(made("a", 6));
  world.overlay.wrote(made("a", 5));
  expect(read(world)).toEqual(["a@6"]);
  world.overlay.wrote(made("a", 7));
  expect(read(world)).toEqual(["a@7"]);
});

test("an answer that comes after its event is of no use", () => {
  const world = worldOf(made("a", 1));
  world.came(made("a", 5));
  world.overlay.wrote(made("a", 5));
  world.went(made("a", 6));
  world.overlay.wrote(made("a", 4));
  expect([world.overlay.size, read(world)]).toEqual([0, []]);
});

test("what was written and then deleted by somebody else goes with the store, also by a bookmark alone", () => {
  const world = worldOf(made("a", 1));
  world.overlay.wrote(made("a", 5));
  world.overlay.wrote(made("b", 7));
  world.went(made("a", 6));
  expect(read(world)).toEqual(["b@7"]);
  world.store.reach("7");
  expect([world.overlay.size, read(world)]).toEqual([0, []]);
});

test("what was deleted is not read any more, in no version, until the store knows", () => {
  const world = worldOf(made("a", 1), made("b", 2));
  world.overlay.deleted(made("a", 1));
  expect(read(world)).toEqual(["b@2"]);
  world.came(made("a", 4));
  expect(read(world)).toEqual(["b@2"]);
  world.went(made("a", 5));
  expect([world.overlay.size, read(world)]).toEqual([0, ["b@2"]]);
});

test("what was made and deleted before either came back is not read in between", () => {
  const world = worldOf(made("b", 2));
  world.overlay.wrote(made("a", 5));
  world.overlay.deleted(made("a", 5));
  expect(read(world)).toEqual(["b@2"]);
  world.store.reach("4");
  expect(read(world)).toEqual(["b@2"]);
  world.came(made("a", 5));
  expect(read(world)).toEqual(["b@2"]);
  world.went(made("a", 6));
  expect([world.overlay.size, read(world)]).toEqual([0, ["b@2"]]);
});

test("another object of the same name is read although one was deleted", () => {
  const world = worldOf(made("a", 1));
  world.overlay.deleted(made("a", 1));
  world.overlay.wrote(made("a", 6, { uid: "2" }));
  expect([world.overlay.size, read(world)]).toEqual([1, ["a@6"]]);
  const other = worldOf(made("a", 1));
  other.overlay.deleted(made("a", 1));
  other.came(made("a", 7, { uid: "2" }));
  expect([other.overlay.size, read(other)]).toEqual([0, ["a@7"]]);
});

test("a late answer to a write does not bring back what was deleted", () => {
  const world = worldOf(made("a", 1));
  world.overlay.deleted(made("a", 1));
  world.overlay.wrote(made("a", 5));
  expect(read(world)).toEqual([]);
});

test("an answer with nothing left to wait for is a deletion", () => {
  const world = worldOf(made("a", 1), made("b", 2));
  const marked = { deletionTimestamp: "2026-01-01T00:00:00Z" };
  const finished = made("a", 5);
  const waiting = made("b", 6);
  Object.assign(finished.metadata, marked);
  Object.assign(waiting.metadata, marked, { finalizers: ["example.dev/wait"] });
  world.overlay.wrote(finished);
  world.overlay.wrote(waiting);
  expect(read(world)).toEqual(["b@6"]);
});

test("what a write takes out of the view is not read, until it is back", () => {
  const world = worldOf(made("a", 1));
  world.overlay.wrote(made("a", 5, { labels: { hidden: "yes" } }));
  expect(read(world)).toEqual([]);
  world.overlay.wrote(made("a", 6));
  expect(read(world)).toEqual(["a@6"]);
});

test("an object that was written stays the writer's, and each reader has its own", () => {
  const world = worldOf();
  const object = made("a", 5, { size: "big" });
  object.metadata.managedFields = [];
  world.overlay.wrote(object);
  expect(object.metadata.managedFields).toEqual([]);
  object.spec = "changed";
  const one = world.overlay.get("home/a");
  if (one) one.spec = "changed too";
  expect(world.overlay.get("home/a")?.spec).toEqual({ size: "big" });
});

test("versions without an order are not laid over anything", () => {
  const world = worldOf(thing("home/a", "x1"));
  world.overlay.wrote(thing("home/a", "x2"));
  world.overlay.deleted(thing("home/a", "x2"));
  expect(read(world)).toEqual(["a@x1"]);
});

test("late answers about an earlier object of the same name change nothing", () => {
  const world = worldOf(made("a", 4, { uid: "2" }));
  world.overlay.deleted(made("a", 4, { uid: "2" }));
  world.overlay.deleted(made("a", 2, { uid: "1" }));
  world.overlay.wrote(made("a", 3, { uid: "1" }));
  expect(read(world)).toEqual([]);
  const other = worldOf(made("a", 2, { uid: "1" }));
  other.overlay.wrote(made("a", 5, { uid: "2" }));
  other.overlay.deleted(made("a", 2, { uid: "1" }));
  expect(read(other)).toEqual(["a@5"]);
});

test("a late answer about an earlier object does not bring it back over the end of a later one", () => {
  const world = worldOf(made("a", 1, { uid: "1" }));
  world.overlay.deleted(made("a", 9, { uid: "2" }));
  world.overlay.wrote(made("a", 5, { uid: "1" }));
  expect(read(world)).toEqual([]);
  world.store.reach("9");
  world.went(made("a", 10, { uid: "2" }));
  expect([world.overlay.size, read(world)]).toEqual([0, []]);
});

test("an answer to a write that comes after the object was deleted and made again leaves the new one to be read", () => {
  const world = worldOf(made("a", 1, { uid: "1" }));
  world.went(made("a", 6, { uid: "1" }));
  world.came(made("a", 7, { uid: "2" }));
  world.overlay.wrote(made("a", 5, { uid: "1" }));
  expect([world.overlay.size, read(world)]).toEqual([0, ["a@7"]]);
});

test("who only writes and gets does not have what came back kept", () => {
  const world = worldOf();
  for (let version = 1; version <= 1000; version++) {
    const object = made(`a${version}`, version);
    world.overlay.wrote(object);
    expect(world.overlay.get(`home/a${version}`)?.metadata.resourceVersion).toBe(`${version}`);
    world.came(object);
  }
  let asked = 0;
  const entry = world.store.entry.bind(world.store);
  world.store.entry = (...key) => {
    asked += 1;
    return entry(...key);
  };
  expect(world.overlay.size).toBe(0);
  expect(asked).toBeLessThan(200); // it asks of everything that is kept
});
