import { expect, test } from "vitest";
import { goString, goSyntax, goTypeName, goValue, jsonTypeName } from "./go-value.ts";

test.each([
  [null, "<nil>"],
  [true, "true"],
  ["a b", "a b"],
  [0, "0"],
  [1_000_000, "1000000"],
  [9_007_199_254_740_993n, "9007199254740993"],
  [0.5, "0.5"],
  [0.0001, "0.0001"],
  [0.000_01, "1e-05"],
  [123_456.5, "123456.5"],
  [1_234_567.5, "1.2345675e+06"],
  [1e100, "1e+100"],
  [[], "[]"],
  [{}, "map[]"],
  [{ b: [1, { c: null }], a: "x", "": [[]] }, "map[:[[]] a:x b:[1 map[c:<nil>]]]"],
])("Go prints %o as %s", (value, text) => {
  expect(goValue(value)).toBe(text);
});

test("keys are sorted by their bytes", () => {
  expect(goValue({ "\u{1f600}": 1, "\ue000": 2, é: 3, Z: 4 })).toBe("map[Z:4 é:3 \ue000:2 \u{1f600}:1]");
});

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = { a: value };
  return value;
}

test("any depth and any length can be printed", () => {
  expect(goValue(nested(20_000))).toBe(`${"map[a:".repeat(20_000)}1${"]".repeat(20_000)}`);
  expect(goValue(Array(300_000).fill(1))).toBe(`[${"1 ".repeat(299_999)}1]`);
});

test("values other than strings are printed with their type where a string is expected", () => {
  expect(goString("x")).toBe("x");
  expect(goString(null)).toBe("%!s(<nil>)");
  expect(goString({ a: 1, b: [false, "x", null] })).toBe("map[a:%!s(int64=1) b:[%!s(bool=false) x <nil>]]");
});

test("%#v prints types, quotes strings and sorts keys", () => {
  expect(goSyntax({ b: [1, "x\u0007", null], a: 1.5 })).toBe(
    'map[string]interface {}{"a":1.5, "b":[]interface {}{1, "x\\a", interface {}(nil)}}',
  );
});

test.each([
  [null, "null", "<nil>"],
  ["x", "string", "string"],
  [1, "number", "int64"],
  [1n, "number", "int64"],
  [1.5, "number", "float64"],
  [1e20, "number", "float64"],
  [false, "bool", "bool"],
  [[], "array", "[]interface {}"],
  [{}, "object", "map[string]interface {}"],
])("%o is called %s in JSON and %s in Go", (value, word, type) => {
  expect([jsonTypeName(value), goTypeName(value)]).toEqual([word, type]);
});
