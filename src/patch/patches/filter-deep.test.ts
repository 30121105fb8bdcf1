import { expect, test } from "vitest";
import { filterDeep, withoutNulls } from "./filter-deep.ts";
import { nested } from "./patch-case.fixture.ts";

test("null fields are removed at any depth, null elements stay", () => {
  const value = { a: null, b: [null, { c: null, d: [[{ e: null }]] }], f: {} };
  expect(withoutNulls(value)).toEqual({ b: [null, { d: [[{}]] }], f: {} });
});

test("the root always stays", () => {
  expect([null, 1, "x"].map((value) => filterDeep(value, () => false))).toEqual([null, 1, "x"]);
  expect(filterDeep([1, { a: 1 }], () => false)).toEqual([]);
});

test("a copy shares no container with the value", () => {
  const value = { a: [{ b: 1 }] };
  const copy = filterDeep(value, () => true) as typeof value;
  expect(copy).toEqual(value);
  expect([copy === value, copy.a === value.a, copy.a[0] === value.a[0]]).toEqual([false, false, false]);
});

test("any depth and any length can be copied", () => {
  let lists: unknown = nested(100_000, null);
  for (let level = 0; level < 100_000; level++) lists = [lists];
  expect(() => withoutNulls(lists)).not.toThrow();
  expect(withoutNulls(Array(300_000).fill(null))).toHaveLength(300_000);
});
