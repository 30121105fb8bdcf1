import { describe, expect, test } from "vitest";
import type { KubeObject, ObjectMeta } from "../api/index.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import type { ObjectEvent } from "../cache/index.ts";
import {
  and,
  annotationsChanged,
  defaultPredicate,
  deletionChanged,
  finalizersChanged,
  generationChanged,
  hasLabels,
  labelsChanged,
  not,
  or,
  type Predicate,
  resourceVersionChanged,
  specOrMetadataChanged,
} from "./predicates.ts";

function object(metadata: Partial<ObjectMeta>): KubeObject {
  const rest = { name: "a", namespace: "n", uid: "u", creationTimestamp: "2026-01-01T00:00:00Z" };
  return { apiVersion: "v1", kind: "Thing", metadata: { ...rest, resourceVersion: "1", ...metadata } };
}

function updated(
  before: Partial<ObjectMeta>,
  after: Partial<ObjectMeta>,
  resync = false,
): ObjectEvent<KubeObject> {
  return {
    type: "updated",
    key: "n/a",
    resourceVersion: after.resourceVersion ?? "1",
    generation: after.generation,
    metadataChanged: true,
    metadata: object(after).metadata,
    object: object(after),
    previousMetadata: object(before).metadata,
    previous: object(before),
    resync,
  };
}

const added: ObjectEvent<KubeObject> = {
  type: "added",
  key: "n/a",
  resourceVersion: "1",
  generation: undefined,
  metadata: object({}).metadata,
  object: object({}),
  initial: false,
};
const deleted: ObjectEvent<KubeObject> = {
  type: "deleted",
  key: "n/a",
  resourceVersion: "1",
  generation: undefined,
  metadata: object({}).metadata,
  object: object({}),
  missed: true,
};
const unchanged = updated({ generation: 1 }, { generation: 1 });

/** Each predicate with changes that it accepts and changes that it rejects. */
const table: readonly {
  what: string;
  predicate: Predicate<KubeObject>;
  yes: Partial<ObjectMeta>;
  no: Partial<ObjectMeta>;
}[] = [
  { what: "generation", predicate: generationChanged, yes: { generation: 2 }, no: { labels: { a: "b" } } },
  { what: "labels", predicate: labelsChanged, yes: { labels: { a: "b" } }, no: { labels: {} } },
  {
    what: "annotations",
    predicate: annotationsChanged,
    yes: { annotations: { a: "b" } },
    no: { annotations: {} },
  },
  { what: "finalizers", predicate: finalizersChanged, yes: { finalizers: ["x/y"] }, no: { finalizers: [] } },
  { what: "resourceVersion", predicate: resourceVersionChanged, yes: { resourceVersion: "2" }, no: {} },
  {
    what: "deletion",
    predicate: deletionChanged,
    yes: { deletionTimestamp: "2026-01-01T00:00:00Z" },
    no: {},
  },
];

test.each(table)(
  "$what changed: counts additions, deletions and such updates alone",
  ({ predicate, yes, no }) => {
    expect([added, deleted, updated({}, yes), updated({}, no), unchanged].map(predicate)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  },
);

test("the order of labels does not matter", () => {
  expect(labelsChanged(updated({ labels: { a: "1", b: "2" } }, { labels: { b: "2", a: "1" } }))).toBe(false);
});

test("a label with another name or value is a change, also if the number of labels stays the same", () => {
  const labels = { a: "1", b: "2" };
  const changed = [{ a: "1", c: "2" }, { a: "1", b: "3" }, { a: "1" }, { ...labels, c: "3" }];
  expect(changed.map((after) => labelsChanged(updated({ labels }, { labels: after })))).toEqual(
    changed.map(() => true),
  );
});

test("hasLabels accepts an update if the object has the labels before or after it", () => {
  const web = hasLabels({ app: "web" });
  const labels = { app: "web", tier: "front" };
  expect([
    web({ ...added, metadata: object({ labels }).metadata }),
    web(added),
    web(updated({ labels }, {})),
    web(updated({}, { labels })),
    web(updated({ labels: { app: "db" } }, {})),
  ]).toEqual([true, false, true, true, false]);
});

test("and, or, not", () => {
  const yes = (): boolean => true;
  const no = (): boolean => false;
  expect(
    [and(yes, yes), and(yes, no), or(no, yes), or(no, no), not(yes), not(no), and(), or()].map((p) =>
      p(added),
    ),
  ).toEqual([true, false, true, false, false, true, true, false]);
});

describe("spec or metadata changed", () => {
  test("counts the spec and the metadata, not the status", () => {
    const before = { generation: 1, resourceVersion: "1" };
    expect([
      specOrMetadataChanged(updated(before, { generation: 2, resourceVersion: "2" })),
      specOrMetadataChanged(updated(before, { generation: 1, resourceVersion: "2" })),
      specOrMetadataChanged(updated(before, { generation: 1, resourceVersion: "2", labels: { a: "b" } })),
      specOrMetadataChanged(updated(before, { ...before, deletionTimestamp: "2026-01-01T00:00:00Z" })),
    ]).toEqual([true, false, true, true]);
  });

  test("counts every change of an object without a generation", () => {
    expect(specOrMetadataChanged(updated({ resourceVersion: "1" }, { resourceVersion: "2" }))).toBe(true);
  });

  test("counts a resync", () => {
    expect(specOrMetadataChanged(updated({ generation: 1 }, { generation: 1 }, true))).toBe(true);
  });
});

test("by default the status counts for shared kinds, and not for kinds of this program", () => {
  const before = { generation: 1, resourceVersion: "1" };
  const status = updated(before, { ...before, resourceVersion: "2" });
  const resync = updated(before, before, true);
  const [ours, shared] = [defaultPredicate({ ...ConfigMap, definedHere: true }), defaultPredicate(ConfigMap)];
  expect([status, resync, added, deleted].map((event) => [ours(event), shared(event)])).toEqual([
    [false, true],
    [true, true],
    [true, true],
    [true, true],
  ]);
});
