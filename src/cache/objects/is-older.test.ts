import { expect, test } from "vitest";
import { isOlder } from "./is-older.ts";

test.each([
  ["9", "10", true],
  ["10", "9", false],
  ["7", "7", false],
  ["", "7", false],
  ["7", "", false],
  ["a", "b", false],
])("version %j is older than %j: %j", (version, than, older) => {
  expect(isOlder(version, than)).toBe(older);
});
