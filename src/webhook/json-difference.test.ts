import { expect, test } from "vitest";
import { jsonDifference } from "./json-difference.ts";

test.each([
  ["equal values", { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
  ["another order of fields", { a: 1, b: 2 }, { b: 2, a: 1 }, []],
  ["a field that is undefined", { a: 1 }, { a: 1, b: undefined }, []],
  ["an added field", { a: 1 }, { a: 1, b: { c: 2 } }, [{ op: "add", path: "/b", value: { c: 2 } }]],
  ["a changed field", { a: { b: 1 } }, { a: { b: 2 } }, [{ op: "replace", path: "/a/b", value: 2 }]],
  ["a removed field", { a: { b: 1, c: 2 } }, { a: { c: 2 } }, [{ op: "remove", path: "/a/b" }]],
  ["a field set to undefined", { a: 1 }, { a: undefined }, [{ op: "remove", path: "/a" }]],
  ["null for a value", { a: 1 }, { a: null }, [{ op: "replace", path: "/a", value: null }]],
  ["a list for an object", { a: {} }, { a: [] }, [{ op: "replace", path: "/a", value: [] }]],
  ["names with slashes and tildes", {}, { "a/b~c": 1 }, [{ op: "add", path: "/a~1b~0c", value: 1 }]],
  ["an appended element", [1, 2], [1, 2, 3], [{ op: "add", path: "/2", value: 3 }]],
  ["an inserted element", ["b", "c"], ["a", "b", "c"], [{ op: "add", path: "/0", value: "a" }]],
  ["a removed element", ["a", "b", "c"], ["a", "c"], [{ op: "remove", path: "/1" }]],
  [
    "removed elements, last first",
    [1, 2, 3, 4],
    [1, 4],
    [
      { op: "remove", path: "/2" },
      { op: "remove", path: "/1" },
    ],
  ],
  [
    "a change inside an element",
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { a: 3 }],
    [{ op: "replace", path: "/1/a", value: 3 }],
  ],
  ["a date", {}, { at: new Date(0) }, [{ op: "add", path: "/at", value: "1970-01-01T00:00:00.000Z" }]],
  ["a number without a JSON form", { a: 1 }, { a: Number.NaN }, [{ op: "replace", path: "/a", value: null }]],
  [
    "a number that was too large for JavaScript",
    { a: [Number.POSITIVE_INFINITY] },
    { a: [Number.POSITIVE_INFINITY] },
    [],
  ],
  ["a function in an object", {}, { run: () => {} }, []],
  ["undefined in a list", [1], [undefined], [{ op: "replace", path: "/0", value: null }]],
  ["another value at the top", { a: 1 }, 2, [{ op: "replace", path: "", value: 2 }]],
])("the patch of %s is minimal", (_, ...[before, after, patch]) => {
  expect(jsonDifference(before, after)).toEqual(patch);
});

test("an own field __proto__ is data, and an inherited one does not count", () => {
  const before: unknown = JSON.parse('{"labels":{"__proto__":{"a":1}}}');
  const after = JSON.parse('{"labels":{"__proto__":{"a":2},"b":1}}') as { labels: object };
  expect(jsonDifference(before, after)).toEqual([
    { op: "replace", path: "/labels/__proto__/a", value: 2 },
    { op: "add", path: "/labels/b", value: 1 },
  ]);
  expect(jsonDifference({ a: {} }, { a: Object.create({ inherited: 1 }) })).toEqual([]);
});

test("deeply nested lists take linear time", () => {
  const nested = (depth: number, inner: unknown): unknown =>
    depth === 0 ? inner : [nested(depth - 1, inner)];
  expect(jsonDifference(nested(500, 1), nested(500, 2))).toHaveLength(1);
});

test("a value that contains itself is an error", () => {
  const ring: { self?: unknown } = {};
  ring.self = ring;
  expect(() => jsonDifference({}, { ring })).toThrow("circular");
});
