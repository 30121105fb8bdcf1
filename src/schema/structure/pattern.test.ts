import { expect, test } from "vitest";
import { compilePattern } from "./pattern.ts";

test("a pattern matches anywhere, unless it is anchored", () => {
  expect(compilePattern("b+").matches("abbc")).toBe(true);
  expect(compilePattern("^b+$").matches("abbc")).toBe(false);
  expect(compilePattern("^a$").matches("a\n")).toBe(false);
  expect(compilePattern("^(?i)A\\pL[[:digit:]]\\z").matches("aé1")).toBe(true);
});

test("no pattern takes long", () => {
  expect(compilePattern("^(a+)+$").matches(`${"a".repeat(10_000)}!`)).toBe(false);
});

const refused: ReadonlyArray<readonly [string, string]> = [
  ["^a(", "missing closing ): `^a(`"],
  ["[b-a]", "invalid character class range: `b-a`"],
  ["(?=x)", "invalid or unsupported Perl syntax: `(?=`"],
  ["a**", "invalid nested repetition operator: `**`"],
  ["\\8", "invalid escape sequence: `\\8`"],
  ["x{1001}", "invalid repeat count: `{1001}`"],
  ["*a", "missing argument to repetition operator: `*`"],
  ["\\", "trailing backslash at end of expression: ``"],
];

test.each(refused)("%s is refused with Go's message", (source, message) => {
  expect(() => compilePattern(source)).toThrow(`error parsing regexp: ${message}`);
});
