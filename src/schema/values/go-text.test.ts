import { expect, test } from "vitest";
import { goFloat, goJson, goNumber, goQuoted } from "./go-text.ts";

test("a string is quoted like in Go", () => {
  expect(goQuoted("a'\"\\\n\t\u0001\u007fé\u200b\u{1f600}\u{e000}\u{10ffff}")).toBe(
    '"a\'\\"\\\\\\n\\t\\x01\\x7fé\\u200b\u{1f600}\\ue000\\U0010ffff"',
  );
});

const numbers: ReadonlyArray<readonly [number | bigint, string]> = [
  [0, "0"],
  [-3, "-3"],
  [2000000, "2000000"],
  [2 ** 62, "4611686018427387904"],
  [9007199254740993n, "9007199254740993"],
  [0.5, "0.5"],
  [2000000.5, "2.0000005e+06"],
  [123456.5, "123456.5"],
  [0.0001, "0.0001"],
  [0.00001, "1e-05"],
  [1e300, "1e+300"],
  [-1.5e-10, "-1.5e-10"],
];

test.each(numbers)("%s is printed with all digits, or with an exponent from a million on", (value, text) => {
  expect(goNumber(value)).toBe(text);
});

test("a float with an integer value may be printed with an exponent", () => {
  expect([0, 10, 100000, 1000000].map(goFloat)).toEqual(["0", "10", "100000", "1e+06"]);
});

test("JSON has sorted keys and escaped HTML characters", () => {
  expect(goJson({ b: [1, null, 9007199254740993n], a: "</script>&\u2028" })).toBe(
    '{"a":"\\u003c/script\\u003e\\u0026\\u2028","b":[1,null,9007199254740993]}',
  );
});

test("a value nested too deeply prints a placeholder and does not overflow the stack", () => {
  let value: unknown = 1;
  for (let depth = 0; depth < 1_000_000; depth++) value = [value];
  expect(goJson(value)).toBe("<nested too deeply to be printed>");
});
