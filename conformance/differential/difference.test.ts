import { expect, test } from "vitest";
import { differenceOf, same } from "./difference.ts";

test("the order of fields is ignored, and that of elements is not", () => {
  expect(same({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
  expect(same([1, 2], [2, 1])).toBe(false);
});

test("a difference shows the lines of each side with their context", () => {
  expect(differenceOf({ a: 1, b: 2, c: 3 }, { a: 1, b: 4, c: 3 })).toBe(
    ["  {", '   "a": 1,', '-  "b": 2,', '+  "b": 4,', '   "c": 3', "  }"].join("\n"),
  );
});

test("lines far from a difference are omitted", () => {
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${10 + index}`, index]));
  const lines = differenceOf({ ...many, z: 1 }, { ...many, z: 2 }).split("\n");
  expect([lines[0], lines.length]).toEqual(["  ...", 8]);
});
