import fc from "fast-check";
import { expect, test } from "vitest";
import { endOfJson, maxDepth } from "./json-check.ts";
import { nowhere } from "./json-walk.ts";
import { objects } from "./objects.fixture.ts";

/** Returns true if `JSON.parse` accepts the text and it has no white space between tokens. */
function isCompactJson(text: string): boolean {
  try {
    const outsideStrings = text.replace(/"(?:[^"\\]|\\.)*"/g, "");
    return JSON.parse(text) !== undefined && !/\s/.test(outsideStrings);
  } catch {
    return false;
  }
}

test("the end of any JSON value is found, among other bytes and at their end", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom("", ",", "}\n", "]"), (value, after) => {
      const text = Buffer.from(`before${JSON.stringify(value)}`);
      expect(endOfJson(Buffer.concat([text, Buffer.from(after)]), 6)).toBe(text.length);
    }),
    { numRuns: 1000 },
  );
});

test("an object with any byte corrupted is valid exactly if JSON.parse accepts it", () => {
  fc.assert(
    fc.property(objects, fc.nat(), fc.nat({ max: 255 }), (object, place, byte) => {
      const bytes = Buffer.from(JSON.stringify(object));
      bytes[place % bytes.length] = byte;
      const text = bytes.toString("latin1"); // bytes over 0x7f are always content
      expect(endOfJson(bytes, 0) === bytes.length).toBe(isCompactJson(text));
    }),
    { numRuns: 5000 },
  );
});

test("every truncated object is invalid", () => {
  fc.assert(
    fc.property(objects, (object) => {
      const bytes = Buffer.from(JSON.stringify(object));
      for (let length = 0; length < bytes.length; length++) {
        expect(endOfJson(bytes.subarray(0, length), 0)).toBe(nowhere);
      }
    }),
    { numRuns: 50 },
  );
});

test.each([
  ...["tru", "truE", "nul", "falsy", "True", "NaN", "Infinity", "undefined"],
  ...["01", "-", "1.", ".5", "1e", "1e+", "+1", "0x1", "--1", "1.e2"],
  ...['"\\x"', '"\\u12g4"', '"\\u123"', '"a', '"\n"', '"\u0000"', '"\\', '"\\u'],
  ...[
    "{",
    "[",
    "[1,]",
    '{"a":1,}',
    '{"a"}',
    '{"a":}',
    "{1:2}",
    '{"a":1]',
    "[1}",
    "{,}",
    "[,]",
    '{"a" :1}',
    "[1 ]",
  ],
  ...["", " 1", "}"],
])("%j is invalid", (text) => {
  expect(endOfJson(Buffer.from(text), 0)).not.toBe(text.length || 0);
  expect(endOfJson(Buffer.from(`[${text}]`), 0)).not.toBe(text.length + 2 + (text === "" ? 1 : 0));
});

test("a value may be nested as deep as the limit, and no deeper", () => {
  const nested = (depth: number): Buffer => Buffer.from('{"a":['.repeat(depth / 2) + "]}".repeat(depth / 2));
  expect(endOfJson(nested(maxDepth), 0)).toBe(nested(maxDepth).length);
  expect(endOfJson(nested(maxDepth + 2), 0)).toBe(nowhere);
});
