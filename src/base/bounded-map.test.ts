import { expect, test } from "vitest";
import { BoundedMap } from "./bounded-map.ts";

const keys = ["a", "b", "c", "d", "e"];

test("it keeps the newest entries up to its limit", () => {
  const recent = new BoundedMap<number>(3);
  const seen = keys.map((added, index) => {
    recent.add(added, index);
    return keys.filter((key) => recent.has(key)).map((key) => `${key}${recent.get(key)}`);
  });
  expect(seen.map((each) => each.join(" "))).toEqual(["a0", "a0 b1", "a0 b1 c2", "b1 c2 d3", "c2 d3 e4"]);
});

test("adding an existing key changes neither its value nor its age", () => {
  const recent = new BoundedMap<number>(2);
  for (const [index, key] of ["a", "b", "a"].entries()) recent.add(key, index);
  expect([recent.get("a"), recent.get("b")]).toEqual([0, 1]);
  recent.add("c", 3);
  expect(keys.map((key) => recent.get(key))).toEqual([undefined, 1, 3, undefined, undefined]);
});
