import fc from "fast-check";
import { expect, test } from "vitest";
import { parsableValues } from "../../../test/json-keys.ts";
import { readJson } from "./read-json.ts";
import { writeJson } from "./write-json.ts";

test("any JSON text has the value of JSON.parse, except for large integers", () => {
  fc.assert(
    fc.property(parsableValues(), fc.constantFrom(undefined, 2), (value, indent) => {
      const written = JSON.stringify(value, null, indent);
      expect(rounded(readJson(written).value)).toEqual(JSON.parse(written));
    }),
  );
});

/** Returns the value with its large integers as JSON.parse returns them. */
function rounded(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== "object" || value === null) return value;
  const copy: object = {};
  for (const [key, member] of Object.entries(value)) {
    Object.defineProperty(copy, key, {
      value: rounded(member),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}

test("escapes, spaces and names with a meaning in JavaScript are read as data", () => {
  const text = ' {"\\u00e9\\n\\"\\/" : [ true , false , null ,\t-1.5e3 ] , "__proto__" : {"a":1} }\r\n';
  const { value } = readJson(text);
  expect(Object.entries(value as object)).toEqual([
    ['é\n"/', [true, false, null, -1500]],
    ["__proto__", { a: 1 }],
  ]);
});

test("an integer that JavaScript cannot hold is exact if it fits an int64", () => {
  const text = "[9007199254740992,9007199254740993,-9223372036854775807,9223372036854775809]";
  const { value } = readJson(text);
  expect(value).toEqual([2 ** 53, 9007199254740993n, -9223372036854775807n, 2 ** 63]);
  expect(writeJson({ value })).toBe(
    '{"value":[9007199254740992,9007199254740993,-9223372036854775807,9223372036854776000]}',
  );
});

test("a repeated key is reported once, and its last value wins", () => {
  const document = readJson('{"a":1,"b":[{"c":1,"c":2,"c":3}],"a":{"d":1,"d":2},"a":4}');
  expect(document.value).toEqual({ a: 4, b: [{ c: 3 }] });
  expect(document.duplicates).toEqual(["b[0].c", "a", "a.d"]);
});

test("at most 100 repeated keys are reported", () => {
  const fields = Array.from({ length: 150 }, (_, index) => `"k${index}":1`).join(",");
  expect(readJson(`{${fields},${fields}}`).duplicates).toHaveLength(100);
});

test("the source text of a number is noted if it differs from how the number prints", () => {
  const { notes } = readJson('{"a":3.0,"b":[1e2,5],"c":{}}');
  expect([...notes]).toEqual([
    [{ a: 3, b: [100, 5], c: {} }, { numbers: new Map([["a", "3.0"]]) }],
    [[100, 5], { numbers: new Map([[0, "1e2"]]) }],
  ]);
});

/** Texts that are not JSON, with Go's messages. */
const refused: ReadonlyArray<readonly [string, string]> = [
  ['{"a"}', "invalid character '}' after object key"],
  ['{"a":}}', "invalid character '}' looking for beginning of value"],
  ['{"a":[1,]}', "invalid character ']' looking for beginning of value"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['{"a":01}', "invalid character '1' after object key:value pair"],
  ['{"a":1.x}', "invalid character 'x' after decimal point in numeric literal"],
  ['{"a":1ex}', "invalid character 'x' in exponent of numeric literal"],
  ['{"a":-x}', "invalid character 'x' in numeric literal"],
  ['{"a":tru}', "invalid character '}' in literal true (expecting 'e')"],
  ['{"a":nulx}', "invalid character 'x' in literal null (expecting 'l')"],
  ['{"a":"\\q"}', "invalid character 'q' in string escape code"],
  ['{"a":"\\u00g0"}', "invalid character 'g' in \\u hexadecimal character escape"],
  ['{"a":"\n"}', "invalid character '\\n' in string literal"],
  ["{\"a\":'x'}", "invalid character '\\'' looking for beginning of value"],
  ['{"a":é}', "invalid character 'Ã' looking for beginning of value"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":{} {}}', "invalid character '{' after object key:value pair"],
  ['{"a":[1 2]}', "invalid character '2' after array element"],
  ['{"a":"x}', "unexpected end of JSON input"],
  ['{"a":"\\}', "invalid character '}' in string escape code"],
  ['{"a":+1}', "invalid character '+' looking for beginning of value"],
  ['{"a":.5}', "invalid character '.' looking for beginning of value"],
  ["{a:1}", "invalid character 'a' looking for beginning of object key string"],
  ['{"a":1}}}', "invalid character '}' after top-level value"],
  ['{"a":\u0001}', "invalid character '\\x01' looking for beginning of value"],
  ['{"a":"}', "unexpected end of JSON input"],
  ["", "unexpected end of JSON input"],
  ["[1e999]", "json: cannot unmarshal number 1e999 into Go value of type float64"],
];

test.each(refused)("%j is not JSON", (text, message) => {
  expect(() => readJson(text)).toThrow(message);
});

test("nesting beyond the limit is an error and does not overflow the stack", () => {
  const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
  expect(() => readJson(nested(1000))).not.toThrow();
  expect(() => readJson(nested(1001))).toThrow("invalid character '[' exceeded max depth");
  expect(() => readJson(nested(1_000_000))).toThrow("exceeded max depth");
});
