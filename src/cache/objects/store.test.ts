import { describe, expect, test } from "vitest";
import { lazyObject } from "./lazy-object.ts";
import { entryOf, type Thing, thing } from "./objects.fixture.ts";
import { retain } from "./slab.ts";
import { Store, type StoreOptions } from "./store.ts";

function storeOf(objects: readonly Thing[], options?: StoreOptions): Store<Thing> {
  const store = new Store<Thing>(options);
  for (const object of objects) store.put(entryOf(object, store.slab));
  return store;
}

function labelled(key: string, labels: Record<string, string>): Thing {
  return thing(key, 1, { metadata: { labels } as Thing["metadata"] });
}

const one = labelled("a/one", { app: "web", tier: "front" });
const two = labelled("a/two", { app: "web" });
const three = labelled("b/three", { app: "db" });
const global = labelled("global", {});

describe("reads", () => {
  const store = storeOf([one, two, three, global]);

  test("get accepts both forms of a key", () => {
    expect(store.get("a/one")).toEqual(one);
    expect(store.get({ namespace: "b", name: "three" })).toEqual(three);
    expect(store.get("global")).toEqual(global);
    expect([store.get("a/three"), store.get("three"), store.get("c/one")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("an invalid key is rejected", () => {
    expect(() => store.get("a/b/c")).toThrow(
      'expected an object key like "name" or "namespace/name", got "a/b/c"',
    );
  });

  test("list returns all objects, or those of a namespace, with labels, or both", () => {
    expect(store.list()).toEqual([one, two, three, global]);
    expect(store.list({ namespace: "a" })).toEqual([one, two]);
    expect(store.list({ namespace: "" })).toEqual([one, two, three, global]);
    expect(store.list({ namespace: "none" })).toEqual([]);
    expect(store.list({ labels: { app: "web" } })).toEqual([one, two]);
    expect(store.list({ labels: "app=web,!tier" })).toEqual([two]);
    expect(store.list({ labels: "app in (web, db)", namespace: "b" })).toEqual([three]);
    expect(store.list({ labels: "" })).toEqual([one, two, three, global]);
  });

  test("keys returns the keys of all objects", () => {
    expect([...store.keys()]).toEqual(["a/one", "a/two", "b/three", "global"]);
    expect(store.size).toBe(4);
  });

  test("objects belong to the caller", () => {
    const mine = store.get("a/one");
    if (mine) mine.metadata.labels = { spoiled: "yes" };
    for (const object of store.list()) object.spec = "spoiled";
    expect(store.list()).toEqual([one, two, three, global]);
  });
});

describe("views", () => {
  test("are shared and deeply frozen", () => {
    const store = storeOf([one, two]);
    const view = store.view("a/one");
    expect(view).toEqual(one);
    expect(store.view({ namespace: "a", name: "one" })).toBe(view);
    expect(store.views({ labels: { tier: "front" } })).toEqual([one]);
    expect(store.views()[0]).toBe(view);
    expect(store.viewsBy("namespace", "a")[0]).toBe(view);
    expect(() => {
      (view?.metadata.labels as Record<string, string>).app = "spoiled";
    }).toThrow(TypeError);
    expect(store.view("a/none")).toBe(undefined);
  });

  test("have the newest version of an object", () => {
    const store = storeOf([one]);
    const before = store.view("a/one");
    store.put(entryOf(thing("a/one", 2), store.slab));
    expect([before, store.view("a/one")]).toEqual([one, thing("a/one", 2)]);
  });

  test("are kept up to a size, the last read first", () => {
    const store = storeOf([one, two], { viewBytes: entryOf(one).length });
    const first = store.view("a/one");
    const second = store.view("a/two");
    expect(store.view("a/two")).toBe(second);
    expect(store.view("a/one")).not.toBe(first);
    expect(store.view("a/one")).toEqual(first);
  });
});

test("the view of a replaced version takes no space from others", () => {
  const store = storeOf([one, two], { viewBytes: 2 * entryOf(one).length });
  const kept = store.view("a/two");
  store.view("a/one");
  store.put(entryOf(one, store.slab));
  store.view("a/one");
  expect(store.view("a/two")).toBe(kept);
});

describe("indexes", () => {
  const owner = (object: Thing): string[] => [String(object.spec)];

  test("find objects by the values of a function, including stored ones", () => {
    const store = storeOf([thing("a/1", 1, { spec: "x" }), thing("a/2", 1, { spec: "y" })]);
    store.index("owner", owner);
    store.put(entryOf(thing("b/3", 1, { spec: "x" }), store.slab));
    expect(store.by("owner", "x")).toEqual([thing("a/1", 1, { spec: "x" }), thing("b/3", 1, { spec: "x" })]);
    expect(store.by("owner", "none")).toEqual([]);
  });

  test("follow changes and deletions", () => {
    const store = storeOf([thing("a/1", 1, { spec: "x" }), thing("a/2", 1, { spec: "x" })]);
    store.index("owner", owner);
    store.put(entryOf(thing("a/1", 2, { spec: "y" }), store.slab));
    store.remove("a", "2");
    expect([store.by("owner", "x"), store.by("owner", "y")]).toEqual([[], [thing("a/1", 2, { spec: "y" })]]);
  });

  test("have an object under each of its values, once", () => {
    const store = storeOf([thing("a/1", 1)]);
    store.index("many", () => ["x", "y", "x"]);
    expect([store.by("many", "x"), store.by("many", "y")]).toEqual([[thing("a/1", 1)], [thing("a/1", 1)]]);
  });

  test("by namespace are built in", () => {
    expect(storeOf([one, three]).by("namespace", "b")).toEqual([three]);
  });

  test("of metadata parse no body", () => {
    const store = new Store<Thing>();
    store.index("app", ({ metadata }) => [metadata.labels?.app ?? ""]);
    const entry = entryOf(one, store.slab);
    entry.parse = () => {
      throw new Error("expected metadata to be enough");
    };
    store.put(entry);
    expect([...store.entriesBy("app", "web")]).toEqual([entry]);
    expect([...store.entriesBy("app", "web")][0]?.labels()).toEqual(one.metadata.labels);
  });

  test("leave out objects for which their function throws, and report it", () => {
    const told: unknown[] = [];
    const store = new Store<Thing>({
      onIndexError: (error, index, entry) => told.push([error.message, index, entry.key]),
    });
    store.index("bad", ({ spec }) => {
      if (spec === "bad") throw new RangeError("no value");
      return ["good"];
    });
    store.put(entryOf(thing("a/1", 1, { spec: "good" }), store.slab));
    store.put(entryOf(thing("a/1", 2, { spec: "bad" }), store.slab));
    expect([store.by("bad", "good"), store.get("a/1"), told]).toEqual([
      [],
      thing("a/1", 2, { spec: "bad" }),
      [["no value", "bad", "a/1"]],
    ]);
  });

  test("are looked up by their names", () => {
    const store = new Store<Thing>();
    store.index("owner", owner);
    expect(() => store.by("other", "x")).toThrow(
      'expected the name of an index (namespace, owner), got "other"',
    );
    expect(() => store.index("owner", owner)).toThrow('index "owner" already exists');
    expect(() => store.index("namespace", owner)).toThrow('index "namespace" already exists');
  });
});

test("put and remove return the previous version, which can be read if it is retained", () => {
  const store = storeOf([one]);
  const kept = store.entry("a", "one");
  if (kept) retain(kept);
  const before = store.put(entryOf(thing("a/one", 2), store.slab));
  expect(before && lazyObject(before)).toEqual(one);
  expect(store.remove("a", "one")?.resourceVersion).toEqual("2");
  expect(store.remove("a", "one")).toBe(undefined);
  expect([store.size, store.slab.used, [...store.keys()]]).toEqual([0, 0, []]);
});
