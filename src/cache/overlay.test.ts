import { expect, test } from "vitest";
import { kind } from "../api/index.ts";
import { entryOf, Thing, thing } from "./objects/objects.fixture.ts";
import { Store } from "./objects/store.ts";
import { Overlay } from "./overlay.ts";

interface World {
  readonly store: Store<Thing>;
  readonly overlay: Overlay<Thing>;
  /** The watch delivers this version. */
  came(object: Thing): void;
  went(object: Thing): void;
  /** A bookmark. */
  reach(resourceVersion: string): void;
  /** The server responds to a delete with a `Status` that has the object's uid. */
  deleted(object: Thing): void;
}

interface Made {
  readonly uid?: string | undefined;
  readonly labels?: Record<string, string> | undefined;
  readonly size?: string | undefined;
}

/** Returns a version of a thing, with a note in its spec. */
function made(name: string, version: number, { uid = "1", labels, size }: Made = {}): Thing {
  return thing(`home/${name}`, version, {
    metadata: { uid, ...(labels && { labels }) } as Thing["metadata"],
    spec: { size },
  });
}

function worldOf(...objects: readonly Thing[]): World {
  const store = new Store<Thing>();
  const covers = ({ metadata: { labels } }: Thing): boolean | undefined =>
    labels?.unknown === undefined ? labels?.hidden === undefined : undefined;
  let appliedVersion = "";
  const overlay = new Overlay<Thing>({ kind: Thing, store, covers, appliedVersion: () => appliedVersion });
  const bySize = ({ spec }: Thing): string[] => [
    String((spec as { readonly size?: unknown } | undefined)?.size),
  ];
  store.index("size", bySize);
  overlay.index("size", bySize);
  const reach = (resourceVersion: string): void => {
    appliedVersion = resourceVersion;
  };
  const came = (object: Thing): void => {
    store.put(entryOf(object, store.slab));
    reach(object.metadata.resourceVersion);
  };
  const went = (object: Thing): void => {
    store.remove("home", object.metadata.name);
    reach(object.metadata.resourceVersion);
  };
  for (const object of objects) came(object);
  const deleted = ({ metadata }: Thing): void =>
    overlay.recordDelete(metadata, { uid: metadata.uid, uncertain: true });
  return { store, overlay, came, went, reach, deleted };
}

/** Returns names and versions, ordered by name. */
function versions(things: readonly { readonly metadata: Thing["metadata"] }[]): string[] {
  return things.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).sort();
}

/** Returns the same object by every way to read. */
function read({ overlay }: World): unknown[] {
  const ways = [
    versions(overlay.list()),
    versions(overlay.views() as Thing[]),
    [...overlay.keys()].sort().flatMap((key) => versions([overlay.get(key)].flatMap((each) => each ?? []))),
    [...overlay.keys()]
      .sort()
      .flatMap((key) => versions([overlay.lazyView(key) as Thing].flatMap((each) => each ?? []))),
    [...overlay.keys()].sort().flatMap((key) => versions([overlay.view(key) as Thing])),
    versions(overlay.by("namespace", "home")),
    versions(overlay.viewsBy("namespace", "home") as Thing[]),
  ];
  expect(ways).toEqual(ways.map(() => ways[0]));
  return ways[0] ?? [];
}

test("an own write is read at once, by get, list and index, until the watch delivers it", () => {
  const world = worldOf(made("a", 1), made("b", 2));
  world.overlay.recordWrite(made("a", 5, { size: "big" }));
  world.overlay.recordWrite(made("c", 6, { size: "big" }));
  expect(read(world)).toEqual(["a@5", "b@2", "c@6"]);
  expect(versions(world.overlay.by("size", "big"))).toEqual(["a@5", "c@6"]);
  expect(versions(world.overlay.by("size", "undefined"))).toEqual(["b@2"]);
  world.came(made("a", 5, { size: "big" }));
  expect([world.overlay.size, read(world)]).toEqual([1, ["a@5", "b@2", "c@6"]]);
  world.came(made("c", 7, { size: "small" }));
  expect([world.overlay.size, read(world)]).toEqual([0, ["a@5", "b@2", "c@7"]]);
  expect(versions(world.overlay.by("size", "big"))).toEqual(["a@5"]);
});

test("selectors are evaluated on own writes", () => {
  const world = worldOf(made("a", 1, { labels: { app: "x" } }), made("b", 2, { labels: { app: "y" } }));
  world.overlay.recordWrite(made("a", 5, { labels: { app: "y" } }));
  expect(versions(world.overlay.list({ labels: { app: "y" } }))).toEqual(["a@5", "b@2"]);
  expect(versions(world.overlay.list({ labels: { app: "x" } }))).toEqual([]);
  expect(versions(world.overlay.list({ namespace: "other" }))).toEqual([]);
});

test("an own write hides older versions of the store, and no others", () => {
  const world = worldOf(made("a", 1));
  world.overlay.recordWrite(made("a", 5));
  world.came(made("a", 3));
  expect(read(world)).toEqual(["a@5"]);
  world.came(made("a", 9));
  expect(read(world)).toEqual(["a@9"]);
});

test("an own write is dropped when the store has that version of the object", () => {
  const world = worldOf(made("a", 1), made("b", 2));
  for (const name of ["a", "b"]) world.overlay.recordWrite(made(name, 5));
  for (const [name, version] of [["a", 5] as const, ["b", 7] as const])
    world.store.put(entryOf(made(name, version), world.store.slab));
  expect([read(world), world.overlay.size]).toEqual([["a@5", "b@7"], 0]);
});

test("the newer of two writes is read, in any order of their responses", () => {
  const world = worldOf(made("a", 1));
  world.overlay.recordWrite(made("a", 6));
  world.overlay.recordWrite(made("a", 5));
  expect(read(world)).toEqual(["a@6"]);
  world.overlay.recordWrite(made("a", 7));
  expect(read(world)).toEqual(["a@7"]);
});

test("a response that arrives after its event is ignored", () => {
  const world = worldOf(made("a", 1));
  world.came(made("a", 5));
  world.overlay.recordWrite(made("a", 5));
  world.went(made("a", 6));
  world.overlay.recordWrite(made("a", 4));
  expect([world.overlay.size, read(world)]).toEqual([0, []]);
});

test("an own write that another client has deleted is dropped with the store, or by a bookmark", () => {
  const world = worldOf(made("a", 1));
  world.overlay.recordWrite(made("a", 5));
  world.overlay.recordWrite(made("b", 7));
  world.went(made("a", 6));
  expect(read(world)).toEqual(["b@7"]);
  world.reach("7");
  expect([world.overlay.size, read(world)]).toEqual([0, []]);
});

test("no version of an object is read after its delete, until the store has it", () => {
  const world = worldOf(made("a", 1), made("b", 2));
  world.deleted(made("a", 1));
  expect(read(world)).toEqual(["b@2"]);
  world.came(made("a", 4));
  expect(read(world)).toEqual(["b@2"]);
  world.went(made("a", 5));
  expect([world.overlay.size, read(world)]).toEqual([0, ["b@2"]]);
});

test("an object that was created and deleted before both events is not read in between", () => {
  const world = worldOf(made("b", 2));
  world.overlay.recordWrite(made("a", 5));
  world.deleted(made("a", 5));
  expect(read(world)).toEqual(["b@2"]);
  world.reach("4");
  expect(read(world)).toEqual(["b@2"]);
  world.came(made("a", 5));
  expect(read(world)).toEqual(["b@2"]);
  world.went(made("a", 6));
  expect([world.overlay.size, read(world)]).toEqual([0, ["b@2"]]);
});

test("a new object with the name of a deleted one is read", () => {
  const world = worldOf(made("a", 1));
  world.deleted(made("a", 1));
  world.overlay.recordWrite(made("a", 6, { uid: "2" }));
  expect([world.overlay.size, read(world)]).toEqual([2, ["a@6"]]);
  const other = worldOf(made("a", 1));
  other.deleted(made("a", 1));
  other.came(made("a", 7, { uid: "2" }));
  expect([other.overlay.size, read(other)]).toEqual([0, ["a@7"]]);
});

test("a late response to a write does not bring a deleted object back", () => {
  const world = worldOf(made("a", 1));
  world.deleted(made("a", 1));
  world.overlay.recordWrite(made("a", 5));
  expect(read(world)).toEqual([]);
});

test("a response without finalizers of a terminating object is a delete", () => {
  const world = worldOf(made("a", 1), made("b", 2));
  const marked = { deletionTimestamp: "2026-01-01T00:00:00Z" };
  const finished = made("a", 5);
  const waiting = made("b", 6);
  Object.assign(finished.metadata, marked);
  Object.assign(waiting.metadata, marked, { finalizers: ["example.dev/wait"] });
  world.overlay.recordWrite(finished);
  world.overlay.recordWrite(waiting);
  expect(read(world)).toEqual(["b@6"]);
});

test("an object that an own write moves out of the view is not read until it is back", () => {
  const world = worldOf(made("a", 1));
  world.overlay.recordWrite(made("a", 5, { labels: { hidden: "yes" } }));
  expect(read(world)).toEqual([]);
  world.overlay.recordWrite(made("a", 6));
  expect(read(world)).toEqual(["a@6"]);
});

test("the written object stays with its writer, and each reader gets its own", () => {
  const world = worldOf();
  const object = made("a", 5, { size: "big" });
  object.metadata.managedFields = [];
  world.overlay.recordWrite(object);
  expect(object.metadata.managedFields).toEqual([]);
  object.spec = "changed";
  const one = world.overlay.get("home/a");
  if (one) one.spec = "changed too";
  expect(world.overlay.get("home/a")?.spec).toEqual({ size: "big" });
});

test("own writes with versions that cannot be compared are ignored", () => {
  const world = worldOf(thing("home/a", "x1"));
  world.overlay.recordWrite(thing("home/a", "x2"));
  world.deleted(thing("home/a", "x2", { metadata: { uid: "1" } as Thing["metadata"] }));
  expect(read(world)).toEqual(["a@x1"]);
});

test("late responses about an earlier object of the same name change nothing", () => {
  const world = worldOf(made("a", 4, { uid: "2" }));
  world.deleted(made("a", 4, { uid: "2" }));
  world.deleted(made("a", 2, { uid: "1" }));
  world.overlay.recordWrite(made("a", 3, { uid: "1" }));
  expect(read(world)).toEqual([]);
  const other = worldOf(made("a", 2, { uid: "1" }));
  other.overlay.recordWrite(made("a", 5, { uid: "2" }));
  other.deleted(made("a", 2, { uid: "1" }));
  expect(read(other)).toEqual(["a@5"]);
});

test("a late response about an earlier object does not bring it back after the delete of a later one", () => {
  const world = worldOf(made("a", 1, { uid: "1" }));
  const object = made("a", 9, { uid: "2" });
  world.overlay.recordDelete(object.metadata, object.metadata);
  world.overlay.recordWrite(made("a", 5, { uid: "1" }));
  expect(read(world)).toEqual([]);
  world.reach("9");
  world.went(made("a", 10, { uid: "2" }));
  expect([world.overlay.size, read(world)]).toEqual([0, []]);
});

test("a response from before a re-creation does not hide the new object", () => {
  const world = worldOf(made("a", 1, { uid: "1" }));
  world.went(made("a", 6, { uid: "1" }));
  world.came(made("a", 7, { uid: "2" }));
  world.overlay.recordWrite(made("a", 5, { uid: "1" }));
  expect([world.overlay.size, read(world)]).toEqual([0, ["a@7"]]);
});

test("a program that only writes and gets does not keep delivered writes", () => {
  const world = worldOf();
  for (let version = 1; version <= 1000; version++) {
    const object = made(`a${version}`, version);
    world.overlay.recordWrite(object);
    expect(world.overlay.get(`home/a${version}`)?.metadata.resourceVersion).toBe(`${version}`);
    world.came(object);
  }
  let lookups = 0;
  const entry = world.store.entry.bind(world.store);
  world.store.entry = (...key) => {
    lookups += 1;
    return entry(...key);
  };
  expect(world.overlay.size).toBe(0);
  expect(lookups).toBeLessThan(200); // `size` looks up every own write that is kept
});

const key = { namespace: "home", name: "a" };

test("an object that a Status reports as deleted is read again when it turns out to be terminating", () => {
  const world = worldOf(made("a", 1));
  world.deleted(made("a", 1));
  expect(read(world)).toEqual([]);
  const terminating = made("a", 4);
  Object.assign(terminating.metadata, {
    deletionTimestamp: "2026-01-01T00:00:00Z",
    finalizers: ["example.dev/a"],
  });
  world.came(terminating);
  expect([world.overlay.size, read(world)]).toEqual([0, ["a@4"]]);
});

test("a deleted object stays hidden while the store has it as terminating", () => {
  const terminating = made("a", 4);
  Object.assign(terminating.metadata, { deletionTimestamp: "2026-01-01T00:00:00Z" });
  const world = worldOf(terminating);
  world.overlay.recordDelete(key, { uid: "1", resourceVersion: "4" });
  expect(read(world)).toEqual([]);
  world.went(made("a", 7));
  expect(world.overlay.size).toBe(0);
});

test("an object that the server did not have is not read while the store has it as terminating", () => {
  const terminating = made("a", 4);
  Object.assign(terminating.metadata, { deletionTimestamp: "2026-01-01T00:00:00Z" });
  const world = worldOf(terminating);
  world.overlay.recordDelete(key, { uid: "1" });
  expect(read(world)).toEqual([]);
  world.came(made("a", 6, { uid: "2" }));
  expect([world.overlay.size, read(world)]).toEqual([0, ["a@6"]]);
});

test("an object that was deleted before its first event is not read when that event arrives", () => {
  const world = worldOf();
  world.deleted(made("a", 1));
  world.came(made("a", 1));
  expect(read(world)).toEqual([]);
  world.went(made("a", 2));
  world.came(made("a", 3, { uid: "2" }));
  expect([world.overlay.size, read(world)]).toEqual([0, ["a@3"]]);
});

test("only the last deletes of objects that a view never had are kept", () => {
  const world = worldOf();
  for (let index = 0; index < 1000; index++) world.deleted(made(`a${index}`, 1));
  for (const name of ["a0", "a999"]) world.came(made(name, 1));
  expect(read(world)).toEqual(["a0@1"]);
});

test("a write is not listed while only the server can evaluate the view", () => {
  const world = worldOf(made("a", 1));
  world.overlay.recordWrite(made("a", 5, { labels: { unknown: "yes" } }));
  world.overlay.recordWrite(made("b", 6, { labels: { unknown: "yes" } }));
  expect(read(world)).toEqual(["a@1"]);
  expect([world.overlay.isBehind(key), world.overlay.isBehindIn("home"), world.overlay.size]).toEqual([
    true,
    true,
    2,
  ]);
  world.came(made("a", 5));
  world.reach("6");
  expect([world.overlay.isBehind(key), world.overlay.isBehindIn("home"), world.overlay.size]).toEqual([
    false,
    false,
    0,
  ]);
});

test("isBehind is true for a write without an object in its response, until the store has it", () => {
  const world = worldOf(made("a", 1));
  world.overlay.recordPending(key, {
    isVisible: (newest) => newest?.metadata.deletionTimestamp !== undefined,
  });
  world.came(made("a", 3));
  expect([world.overlay.isBehind(key), world.overlay.isBehindIn("away")]).toEqual([true, false]);
  const terminating = made("a", 4);
  Object.assign(terminating.metadata, {
    deletionTimestamp: "2026-01-01T00:00:00Z",
    finalizers: ["example.dev/a"],
  });
  world.came(terminating);
  expect([world.overlay.isBehind(key), world.overlay.size]).toEqual([false, 0]);
});

test("all own writes are dropped when a restored etcd takes the collection back, and so are later responses to them", () => {
  const world = worldOf(made("a", 1), made("b", 2));
  const sent = world.overlay.rollbacks;
  world.overlay.recordWrite(made("a", 8), { rollbacks: sent });
  world.deleted(made("b", 2));
  world.overlay.recordPending(
    { namespace: "home", name: "b" },
    { resourceVersion: "9" },
    { rollbacks: sent },
  );
  world.overlay.rollBack("home");
  world.reach("1");
  world.overlay.recordWrite(made("c", 9), { rollbacks: sent });
  expect([world.overlay.size, read(world)]).toEqual([0, ["a@1", "b@2"]]);
  world.overlay.recordWrite(made("c", 3), { rollbacks: world.overlay.rollbacks });
  expect(read(world)).toEqual(["a@1", "b@2", "c@3"]);
});

test("a terminating Namespace stays for as long as its spec has finalizers", () => {
  const Namespace = kind({ version: "v1", kind: "Namespace", plural: "namespaces", namespaced: false });
  const store = new Store();
  const overlay = new Overlay({ kind: Namespace, store, covers: () => true, appliedVersion: () => "1" });
  const metadata = { name: "a", uid: "1", resourceVersion: "5", deletionTimestamp: "2026-01-01T00:00:00Z" };
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata, spec: { finalizers: ["kubernetes"] } };
  overlay.recordWrite(namespace as never);
  expect(overlay.list().map(({ metadata: { resourceVersion } }) => resourceVersion)).toEqual(["5"]);
  overlay.recordWrite({ ...namespace, metadata: { ...metadata, resourceVersion: "6" }, spec: {} } as never);
  expect(overlay.list()).toEqual([]);
});
