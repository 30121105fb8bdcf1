import { expect, test } from "vitest";
import { kindName, type ObjectMeta } from "../../api/index.ts";
import { ConfigMap } from "../../api/types/core/v1.ts";
import { DependencyGraph } from "./dependency-graph.ts";

/** Returns a graph, and the uids that it suspects. `taken` returns those since its last call. */
function graphOf(): { graph: DependencyGraph; taken: () => string[] } {
  const suspects: string[] = [];
  const graph = new DependencyGraph(({ uid }) => suspects.push(uid));
  return { graph, taken: () => suspects.splice(0) };
}

/** Returns the metadata of an object whose name and uid are equal. */
function meta(uid: string, owners: readonly string[] = [], more: Partial<ObjectMeta> = {}): ObjectMeta {
  const ownerReferences = owners.map((owner) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    name: owner,
    uid: owner,
    blockOwnerDeletion: true,
  }));
  return { uid, name: uid, namespace: "default", ownerReferences, ...more } as ObjectMeta;
}

function put(graph: DependencyGraph, metadata: ObjectMeta): void {
  graph.put(ConfigMap, "v1", metadata);
}

const deletionTimestamp = "2026-01-01T00:00:00Z";

test("an object whose owner is known is not suspected, in any later version", () => {
  const { graph, taken } = graphOf();
  put(graph, meta("owner"));
  put(graph, meta("child", ["owner"]));
  put(graph, meta("child", ["owner"], { labels: { a: "b" } }));
  expect(taken()).toEqual([]);
});

test("an object that is seen before its owner is suspected, and kept once the owner is seen", () => {
  const { graph, taken } = graphOf();
  put(graph, meta("child", ["owner"]));
  expect(taken()).toEqual(["child"]);
  put(graph, meta("owner"));
  const child = graph.node("child");
  expect(child && graph.hasLiveOwners(child)).toBe(true);
});

test.each([
  ["another namespace", { namespace: "other" }],
  ["another name", { name: "other" }],
  ["its dependents to wait for", { deletionTimestamp, finalizers: ["foregroundDeletion"] }],
])("an object is suspected if its owner has %s", (_, change) => {
  const { graph, taken } = graphOf();
  put(graph, meta("owner", [], change));
  taken();
  put(graph, meta("child", ["owner"]));
  expect(taken()).toEqual(["child"]);
});

test("an owner of another group of the same kind is another object", () => {
  const { graph, taken } = graphOf();
  graph.put(ConfigMap, "example.com/v1", meta("owner"));
  put(graph, meta("child", ["owner"]));
  expect(taken()).toEqual(["child"]);
});

test("the dependents of a deleted owner are suspected, and know that it is deleted", () => {
  const { graph, taken } = graphOf();
  put(graph, meta("owner"));
  put(graph, meta("child", ["owner"]));
  graph.remove("owner");
  expect(taken()).toEqual(["child"]);
  expect(graph.node("owner")?.deleted).toBe(true);
  graph.remove("child");
  expect(graph.size).toBe(0);
});

test("an object that begins to end is suspected once", () => {
  const { graph, taken } = graphOf();
  const ending = { deletionTimestamp, finalizers: ["orphan"] };
  put(graph, meta("owner"));
  put(graph, meta("owner", [], ending));
  put(graph, meta("owner", [], { ...ending, labels: { a: "b" } }));
  expect(taken()).toEqual(["owner"]);
});

test("an owner that waits is suspected when a dependent goes, leaves it or stops blocking", () => {
  const { graph, taken } = graphOf();
  put(graph, meta("owner", [], { deletionTimestamp, finalizers: ["foregroundDeletion"] }));
  for (const name of ["goes", "leaves", "unblocks"]) put(graph, meta(name, ["owner"]));
  taken();
  graph.remove("goes");
  expect(taken()).toEqual(["owner"]);
  put(graph, meta("leaves"));
  expect(taken()).toEqual(["owner"]);
  const reference = { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "owner" };
  put(graph, meta("unblocks", [], { ownerReferences: [reference] }));
  expect(taken()).toContain("owner");
});

test("an object without dependents leaves nothing behind, and neither does an owner that was never seen", () => {
  const { graph } = graphOf();
  put(graph, meta("child", ["unseen"]));
  expect(graph.size).toBe(2);
  graph.remove("child");
  expect(graph.size).toBe(0);
});

test("the objects of a kind that is not served any more are unseen, and deleted if its definition was", () => {
  const { graph, taken } = graphOf();
  put(graph, meta("owner"));
  put(graph, meta("child", ["owner"]));
  graph.forget(kindName(ConfigMap));
  expect([taken(), graph.node("owner")?.kind, graph.node("owner")?.deleted]).toEqual([[], undefined, false]);
  put(graph, meta("owner"));
  graph.put({ ...ConfigMap, kind: "Secret" }, "v1", meta("child", ["owner"]));
  taken();
  graph.removeKind(kindName(ConfigMap));
  expect([taken(), graph.node("owner")?.deleted]).toEqual([["child"], true]);
});
