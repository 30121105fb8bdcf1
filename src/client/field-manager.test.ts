import { expect, test } from "vitest";
import { checkFieldManager } from "./field-manager.ts";

test.each(["website.example.dev", "m", "m".repeat(128), "é".repeat(64), "two words"])(
  "%s is valid",
  (value) => {
    expect(() => checkFieldManager("fieldManager", value)).not.toThrow();
  },
);

test.each([
  ["", "an empty name"],
  ["  ", "an empty name"],
  ["m".repeat(129), "129 bytes"],
  ["é".repeat(65), "130 bytes"],
  ["a\u0007", '"a\\u0007" with an unprintable character at 1'],
])("%j is refused", (value, got) => {
  expect(() => checkFieldManager("fieldManager", value)).toThrow(
    `expected fieldManager to have 1 to 128 printable characters, got ${got}`,
  );
});
