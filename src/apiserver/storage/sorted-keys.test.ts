import { expect, test } from "vitest";
import { SortedKeys } from "./sorted-keys.ts";

test("keys stay sorted and counted after many additions and removals", () => {
  const keys = new SortedKeys();
  const expected = new Set<string>();
  for (let n = 0; n < 5_000; n++) {
    const key = String((n * 7919) % 3001);
    if (expected.has(key)) keys.remove(key);
    else keys.add(key);
    if (!expected.delete(key)) expected.add(key);
  }
  const sorted = [...expected].sort();
  expect([...keys.from("")]).toEqual(sorted);
  expect([...keys.from("2")]).toEqual(sorted.filter((key) => key >= "2"));
  expect(keys.count("1", "25")).toBe(sorted.filter((key) => key >= "1" && key < "25").length);
  expect(keys.size).toBe(sorted.length);
});

test("removing a missing key changes nothing", () => {
  const keys = new SortedKeys();
  keys.remove("a");
  keys.add("b");
  for (const key of ["a", "c"]) keys.remove(key);
  expect([[...keys.from("")], keys.size]).toEqual([["b"], 1]);
});
