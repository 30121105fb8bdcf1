import { describe, expect, test } from "vitest";
import type { ConfigMap, Pod } from "../../api/types/core/v1.ts";
import { configMap } from "./fifo.fixture.ts";
import { Indexer } from "./indexer.ts";

/** Returns a Pod of namespace `home` on a node, with images. */
function pod(name: string, nodeName: string, ...images: readonly string[]): Pod {
  const containers = images.map((image) => ({ name: image, image }));
  const metadata = { name, namespace: "home", labels: { app: name } };
  return { apiVersion: "v1", kind: "Pod", metadata, spec: { nodeName, containers } } as unknown as Pod; // not stored by a server
}

const node = ({ spec }: Pod): string[] => (spec.nodeName ? [spec.nodeName] : []);
const image = ({ spec }: Pod): string[] => spec.containers.flatMap(({ image: each }) => each ?? []);

describe("a store", () => {
  test("adds, updates, deletes, gets and lists objects by key", () => {
    const pods = new Indexer<Pod>();
    pods.add(pod("a", "one"));
    pods.add(pod("b", "one"));
    pods.update(pod("a", "two"));
    pods.update(pod("c", "two"));
    pods.delete(pod("b", "any"));
    expect([pods.size, [...pods.keys()]]).toEqual([2, ["home/a", "home/c"]]);
    expect([pods.get("home/a"), pods.get({ namespace: "home", name: "b" })]).toEqual([
      pod("a", "two"),
      undefined,
    ]);
    expect(pods.list()).toEqual([pod("a", "two"), pod("c", "two")]);
    expect(pods.list({ labels: { app: "c" } })).toEqual([pod("c", "two")]);
    expect(pods.list({ namespace: "away" })).toEqual([]);
  });

  test("deletes by key, and ignores an object that it does not have", () => {
    const pods = new Indexer<Pod>();
    for (const name of ["a", "b", "c"]) pods.add(pod(name, "one"));
    pods.delete("home/a");
    pods.delete({ namespace: "home", name: "b" });
    pods.delete("home/none");
    expect([...pods.keys()]).toEqual(["home/c"]);
  });

  test("replaces everything", () => {
    const pods = new Indexer<Pod>({ node });
    for (const name of ["a", "b"]) pods.add(pod(name, "one"));
    pods.replace([pod("b", "two"), pod("c", "two")]);
    expect([pods.list(), pods.indexValues("node")]).toEqual([[pod("b", "two"), pod("c", "two")], ["two"]]);
    pods.replace([]);
    expect([pods.size, pods.list(), pods.indexValues("node")]).toEqual([0, [], []]);
  });

  test("keeps the object as it was added, and returns copies and frozen views", () => {
    const maps = new Indexer<ConfigMap>();
    const mine = configMap("a@1", { k: "v" });
    maps.add(mine);
    if (mine.data) mine.data.k = "changed";
    const copy = maps.get("home/a");
    if (copy?.data) copy.data.k = "changed";
    expect(maps.get("home/a")).toEqual(configMap("a@1", { k: "v" }));
    expect(maps.view("home/a")).toBe(maps.view("home/a"));
    expect(Object.isFrozen(maps.views()[0]?.metadata)).toBe(true);
  });

  test("keeps an older version that it is given", () => {
    const maps = new Indexer<ConfigMap>();
    for (const each of ["a@2", "a@1"]) maps.add(configMap(each));
    expect(maps.get("home/a")?.metadata.resourceVersion).toBe("1");
  });

  test("reads many objects one by one", async () => {
    const maps = new Indexer<ConfigMap>();
    const many = Array.from({ length: 500 }, (_, index) => configMap(`a${index}@1`, { k: "v".repeat(1000) }));
    maps.replace(many);
    expect(await maps.iterate().toArray()).toEqual(many);
    expect(maps.list()).toEqual(many);
  });

  test.each([
    ["no object", undefined],
    ["no metadata", {}],
    ["no name", { metadata: { namespace: "home" } }],
    ["a slash in its name", { metadata: { name: "a/b" } }],
  ])("refuses an object with %s, and keeps what it has", (_, bad) => {
    const maps = new Indexer<ConfigMap>();
    maps.add(configMap("a@1"));
    for (const write of [() => maps.add(bad as ConfigMap), () => maps.replace([bad as ConfigMap])])
      expect(write).toThrow(/^expected an object with a name, and no "\/" in its name and namespace, got /);
    expect([...maps.keys()]).toEqual(["home/a"]);
  });
});

describe("indexes", () => {
  test("of several values are exact after each add, update and delete", () => {
    const pods = new Indexer<Pod>({ node, image });
    pods.add(pod("a", "one", "nginx", "redis"));
    pods.add(pod("b", "one", "nginx"));
    expect([pods.by("image", "nginx"), pods.by("image", "redis")]).toEqual([
      [pod("a", "one", "nginx", "redis"), pod("b", "one", "nginx")],
      [pod("a", "one", "nginx", "redis")],
    ]);
    pods.update(pod("a", "two", "redis", "redis"));
    pods.delete("home/b");
    expect([pods.by("image", "nginx"), pods.by("node", "one"), pods.by("image", "redis")]).toEqual([
      [],
      [],
      [pod("a", "two", "redis", "redis")],
    ]);
    expect(pods.viewsBy("node", "two")).toEqual([pod("a", "two", "redis", "redis")]);
  });

  test("list sorted keys of a value, and the values that have objects", () => {
    const pods = new Indexer<Pod>({ node });
    for (const name of ["b", "a"]) pods.add(pod(name, "one"));
    pods.add(pod("c", "two"));
    expect([pods.indexKeys("node", "one"), pods.indexValues("node")]).toEqual([
      ["home/a", "home/b"],
      ["one", "two"],
    ]);
    pods.delete("home/c");
    expect([pods.indexKeys("node", "two"), pods.indexValues("node")]).toEqual([[], ["one"]]);
  });

  test("that are added later contain the objects that are there", () => {
    const pods = new Indexer<Pod>();
    pods.add(pod("a", "one"));
    pods.index("node", node);
    expect(pods.by("node", "one")).toEqual([pod("a", "one")]);
  });

  test("by namespace are built in", () => {
    const pods = new Indexer<Pod>();
    pods.add(pod("a", "one"));
    expect([pods.indexKeys("namespace", "home"), pods.indexValues("namespace")]).toEqual([
      ["home/a"],
      ["home"],
    ]);
  });

  test("with a taken or unknown name are refused", () => {
    const pods = new Indexer<Pod>({ node });
    expect(() => pods.index("node", node)).toThrow('index "node" already exists');
    expect(() => pods.index("namespace", node)).toThrow('index "namespace" already exists');
    const unknown = 'expected the name of an index (namespace, node), got "nodes"';
    for (const read of [
      () => pods.by("nodes", "one"),
      () => pods.indexKeys("nodes", "one"),
      () => pods.indexValues("nodes"),
    ])
      expect(read).toThrow(unknown);
  });

  test("whose function throws refuse the object, and a list changes nothing then", () => {
    const failing = ({ data }: ConfigMap): string[] => {
      if (data?.owner === undefined) throw new TypeError("no owner");
      return [data.owner];
    };
    const maps = new Indexer<ConfigMap>({ owner: failing });
    maps.add(configMap("a@1", { owner: "x" }));
    const message = 'index "owner" failed for home/b: no owner';
    expect(() => maps.add(configMap("b@1"))).toThrow(message);
    expect(() => maps.replace([configMap("c@1", { owner: "y" }), configMap("b@1")])).toThrow(message);
    expect([[...maps.keys()], maps.indexValues("owner")]).toEqual([["home/a"], ["x"]]);
    maps.add(configMap("d@1", { owner: "x" }));
    expect(maps.indexKeys("owner", "x")).toEqual(["home/a", "home/d"]);
  });

  test("that fail for a stored object are not added", () => {
    const maps = new Indexer<ConfigMap>();
    maps.add(configMap("a@1"));
    const failing = (): string[] => {
      throw new Error("broken");
    };
    expect(() => maps.index("owner", failing)).toThrow('index "owner" failed for home/a: broken');
    maps.index("owner", () => ["x"]);
    expect(maps.indexKeys("owner", "x")).toEqual(["home/a"]);
  });
});
