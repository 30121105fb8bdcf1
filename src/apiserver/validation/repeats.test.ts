import { expect, test } from "vitest";
import { firstByKey, repeats } from "./repeats.ts";

test("every element after the first of its key is a repeat", () => {
  const list = [{ name: "a" }, { name: "b" }, { name: "a" }, {}, { name: "a" }, {}];
  expect(repeats(list, ({ name }) => name)).toEqual([false, false, true, false, true, true]);
});

test("firstByKey returns the first element of each key", () => {
  const [one, two] = [
    { name: "a", n: 1 },
    { name: "a", n: 2 },
  ];
  expect(firstByKey([one, two], ({ name }) => name)).toEqual(new Map([["a", one]]));
});
