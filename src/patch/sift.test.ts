import { expect, test } from "vitest";
import { nested } from "./patch-case.fixture.ts";
import { sift, withoutNulls } from "./sift.ts";

test("fields that are null are left out at any depth, elements are not", () => {
  const value = { a: null, b: [null, { c: null, d: [[{ e: null }]] }], f: {} };
  expect(withoutNulls(value)).toEqual({ b: [null, { d: [[{}]] }], f: {} });
});

test("the value itself is kept whatever it is", () => {
  expect([null, 1, "x"].map((value) => sift(value, () => false))).toEqual([null, 1, "x"]);
  expect(sift([1, { a: 1 }], () => false)).toEqual([]);
});

test("a copy shares no container with the value", () => {
  const value = { a: [{ b: 1 }] };
  const copy = sift(value, () => true) as typeof value;
  expect(copy).toEqual(value);
  expect([copy === value, copy.a === value.a, copy.a[0] === value.a[0]]).toEqual([false, false, false]);
});

test("no nesting is too deep, and no list too long", () => {
  let lists: unknown = nested(100_000, null);
  for (let level = 0; level < 100_000; level++) lists = [lists];
  expect(() => withoutNulls(lists)).not.toThrow();
  expect(withoutNulls(Array(300_000).fill(null))).toHaveLength(300_000);
});
