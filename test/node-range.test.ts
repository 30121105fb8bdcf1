import { expect, test } from "vitest";
import { allows } from "./node-range.ts";

test.each([
  [">=20", true],
  [">= 14.6", true],
  [">= 10.x", true],
  [">=22.19.0", false],
  ["^20.19.0 || >=22.12.0", true],
  ["^18.19.0 || >=20.20", false],
  ["^20.0.0 || ^22.0.0 || >=24.0.0", true],
  [">=18 <20", false],
  [">=18 <=20.19", true],
  ["20", true],
  ["20.x", true],
  ["~20.18.0", false],
  ["*", true],
  ["", true],
])("%j contains 20.19: %j", (range, contained) => {
  expect(allows(range, "20.19")).toBe(contained);
});

test("an unsupported range is an error", () => {
  expect(() => allows("18 - 20", "20.19")).toThrow('expected a range of versions, got "18 - 20"');
});
