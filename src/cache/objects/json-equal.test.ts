import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parsableKeys } from "../../../test/json-keys.ts";
import type { ByteRange } from "./byte-range.ts";
import { jsonEqual } from "./json-equal.ts";

test.each([
  ['{"a":"1","b":"2"}', '{"b":"2","a":"1"}'],
  ['{"a":"\\u0031"}', '{"a":"1"}'],
  ['"\\u00e9"', '"é"'],
  ['["a"]', '["a"]'],
  ['[{"a":1,"b":2}]', '[{"b":2,"a":1}]'],
  ["1", "1.0"],
  ["{}", undefined],
  [undefined, "[]"],
  ["null", undefined],
  [undefined, undefined],
])("%s equals %s", (one, other) => {
  expect([jsonEqual(written(one), written(other)), jsonEqual(written(other), written(one))]).toEqual([
    true,
    true,
  ]);
});

test.each([
  ['{"a":"1","b":"2"}', '{"a":"1","b":"3"}'],
  ['{"a":"1"}', '{"a":"1","b":""}'],
  ['{"a":"1"}', undefined],
  ['["a"]', '["b"]'],
  ['["a","b"]', '["b","a"]'],
  ["0", undefined],
  ["1", "2"],
  ['"é"', '"e"'],
  ['""', undefined],
])("%s does not equal %s", (one, other) => {
  expect([jsonEqual(written(one), written(other)), jsonEqual(written(other), written(one))]).toEqual([
    false,
    false,
  ]);
});

const text = fc.oneof(fc.constantFrom("", '"', "\\", "é", "a", "b"), fc.string());
const map = fc.dictionary(parsableKeys(text), text, { noNullPrototype: true, maxKeys: 4 });
const pairs = fc.oneof(
  fc.tuple(map, map),
  map.map((all) => [all, Object.fromEntries(Object.entries(all).reverse())] as const),
  fc.tuple(map, text, text).map(([all, name, value]) => [all, { ...all, [name]: value }] as const),
);

test("for maps of strings, the result is that of parsing", () => {
  fc.assert(
    fc.property(pairs, ([one, other]) => {
      const same = jsonEqual(written(JSON.stringify(one)), written(JSON.stringify(other)));
      expect(same).toBe(isDeepStrictEqual(one, other));
    }),
  );
});

/** Returns the range of a value between other bytes. */
function written(value: string | undefined): ByteRange | undefined {
  if (value === undefined) return undefined;
  const bytes = Buffer.from(`{"labels":${value},"name":"a"}`);
  const start = '{"labels":'.length;
  return { bytes, start, end: start + Buffer.byteLength(value) };
}
