import { expect, test } from "vitest";
import { checkTimeout } from "./request-timeout.ts";

const check = (timeout: string) => () => checkTimeout(new URLSearchParams({ timeout }));

test.each(["", "0", "-0", "10s", "7m46s", "1.5h", ".5s", "+3ms", "2µs"])("%o is a valid timeout", (text) => {
  expect(check(text)).not.toThrow();
});

test.each([
  ["abc", 'invalid duration "abc"'],
  ["-", 'invalid duration "-"'],
  ["10", 'missing unit in duration "10"'],
  ["10x", 'unknown unit "x" in duration "10x"'],
  ["1h10", 'missing unit in duration "1h10"'],
])("%o is refused with Go's message", (text, problem) => {
  expect(check(text)).toThrow(`invalid timeout specified in the request URL - time: ${problem}`);
});

test("a long timeout is read in linear time", () => {
  expect(check("1".repeat(1_000_000))).toThrow("missing unit in duration");
});
