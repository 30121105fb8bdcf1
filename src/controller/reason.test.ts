import { expect, test } from "vitest";
import type { KubeObject } from "../api/index.ts";
import { EventReason } from "./event-reason.ts";
import { changedPaths } from "./reason.ts";

function object(metadata: object, rest: object = {}): KubeObject {
  return { apiVersion: "v1", kind: "Thing", metadata: { name: "a", ...metadata }, ...rest } as KubeObject; // the fields that the test needs
}

test("changed paths contain differences at any depth, without the fields that every write changes", () => {
  const before = object(
    { resourceVersion: "1", labels: { app: "a", gone: "x" }, managedFields: [1] },
    { spec: { replicas: 1, list: [1], deep: { same: 1, other: 2 } } },
  );
  const after = object(
    { resourceVersion: "2", labels: { app: "b" }, managedFields: [2] },
    { spec: { replicas: 2, list: [1, 2], deep: { same: 1, other: 3 } }, status: { ready: true } },
  );
  expect(changedPaths(before, after)).toEqual([
    "metadata.labels.app",
    "metadata.labels.gone",
    "spec.replicas",
    "spec.list",
    "spec.deep.other",
    "status",
  ]);
});

test("at most ten changed paths are returned", () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, at]));
  expect(changedPaths(object({}), object({}, many)).length).toBe(10);
});

test("a reason is logged in full, and computes changes only when they are read", () => {
  let reads = 0;
  const event = {
    type: "updated" as const,
    key: "n/a",
    resourceVersion: "1",
    resync: false,
    generation: undefined,
    metadataChanged: false,
    metadata: object({}).metadata,
    previousMetadata: object({}).metadata,
    get object(): KubeObject {
      reads += 1;
      return object({}, { spec: 2 });
    },
    get previous(): KubeObject {
      return object({}, { spec: 1 });
    },
  };
  const reason = new EventReason("Thing", { event, shared: true }, (version) => version === "1");
  expect([reason.kind, reason.key, reason.event, reason.echo, reads]).toEqual([
    "Thing",
    "n/a",
    "updated",
    true,
    0,
  ]);
  expect(JSON.parse(JSON.stringify(reason))).toEqual({
    kind: "Thing",
    key: "n/a",
    event: "updated",
    changed: ["spec"],
    echo: true,
  });
  expect([reason.changed, reads]).toEqual([["spec"], 1]);
});

test('a resync has the event "resync"', () => {
  const same = object({});
  const event = {
    type: "updated" as const,
    key: "n/a",
    resourceVersion: "1",
    generation: undefined,
    metadataChanged: false,
    metadata: same.metadata,
    object: same,
    previousMetadata: same.metadata,
    previous: same,
    resync: true,
  };
  expect(new EventReason("Thing", { event, shared: true }, () => false).event).toBe("resync");
});
