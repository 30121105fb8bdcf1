import { expect, test } from "vitest";
import { fieldChanges, pathText, valueText } from "./field-changes.ts";

test.each([
  ["a value", { spec: { size: 1 } }, { spec: { size: 2 } }, ["spec.size: 1 → 2"]],
  ["an added field", { data: {} }, { data: { a: "1" } }, ['data.a: nothing → "1"']],
  ["a removed field", { data: { a: "1" } }, { data: {} }, ['data.a: "1" → nothing']],
  ["an item of a list", { ports: [{ port: 1 }] }, { ports: [{ port: 2 }] }, ["ports[0].port: 1 → 2"]],
  ["a longer list", { ports: [1] }, { ports: [1, 2] }, ["ports: [1] → [1,2]"]],
  [
    "a name with dots",
    { metadata: { annotations: {} } },
    { metadata: { annotations: { "example.com/at": "1" } } },
    ['metadata.annotations["example.com/at"]: nothing → "1"'],
  ],
  [
    "only fields that every write changes",
    { metadata: { resourceVersion: "1", generation: 1, managedFields: [] } },
    { metadata: { resourceVersion: "2", generation: 2, managedFields: [{}] } },
    [],
  ],
])("fieldChanges names the deepest fields that differ: %s", (...[, before, after, expected]) => {
  const texts = fieldChanges(before, after).map(
    ({ path, before: old, after: now }) =>
      `${pathText(path)}: ${valueText(old, "Pod", path)} → ${valueText(now, "Pod", path)}`,
  );
  expect(texts).toEqual(expected);
});

test("at most ten changes are returned", () => {
  const after = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`f${at}`, at]));
  expect(fieldChanges({}, after).map(({ path }) => pathText(path))).toEqual(
    Array.from({ length: 10 }, (_, at) => `f${at}`),
  );
});

test("long values are shortened, and values of a Secret are hidden", () => {
  expect([
    valueText("x".repeat(80), "Pod", ["data", "a"]),
    valueText("hunter2", "Secret", ["data", "password"]),
    valueText("{}", "Secret", ["metadata", "annotations", "last-applied"]),
    valueText("web", "Secret", ["metadata", "labels", "app"]),
  ]).toEqual([`"${"x".repeat(59)}…`, "a value", "a value", '"web"']);
});

/** Returns an object of 9,990 levels. API servers accept 10,000. */
function nested(leaf: unknown) {
  return JSON.parse('{"a":'.repeat(9_990) + JSON.stringify(leaf) + "}".repeat(9_990));
}

test("objects with as many levels as an API server accepts are compared", () => {
  const deep = { spec: nested(1), status: "old" };
  const paths = (after: object): string[] => fieldChanges(deep, after).map(({ path }) => pathText(path));
  expect(paths({ spec: nested(1), status: "new" })).toEqual(["status"]);
  expect(paths({ spec: nested(2), status: "new" })).toEqual([`spec${".a".repeat(99)}`, "status"]);
  for (const other of [{ b: 1 }, { a: 1, b: 1 }, [1], null])
    expect(paths({ spec: nested(other), status: "old" })).toEqual([`spec${".a".repeat(99)}`]);
});

test("a value of many levels is shortened", () => {
  expect(valueText(nested(1), "Thing", ["spec"])).toBe(`${'{"a":'.repeat(12)}…`);
});
