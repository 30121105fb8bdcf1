import { expect, test } from "vitest";
import { parseDuration } from "./index.ts";

test.each([
  ["1h30m", 5_400_000],
  ["500ms", 500],
  ["1.5s", 1500],
  [".5s", 500],
  ["0", 0],
  ["250us", 0.25],
  ["250µs", 0.25],
  ["250\u03bcs", 0.25],
  ["-2m", -120_000],
  ["+2m", 120_000],
])("the duration %s has %d milliseconds", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(["", "1", "1d", "1h 30m", "h", "1.2.3s", ".s", "1e3s"])("%j is not a duration", (text) => {
  expect(() => parseDuration(text)).toThrow(
    new TypeError(`expected a duration like "1h30m", got ${JSON.stringify(text)}`),
  );
});
