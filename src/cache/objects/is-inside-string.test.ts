import fc from "fast-check";
import { expect, test } from "vitest";
import { isInsideString } from "./is-inside-string.ts";

test.each([
  ['{"a":"', 'b"}'],
  ['{"a":"b', '"}'],
  ['{"a":{"b1":"c:', 'd"}}'],
  ['{"a":[{"b":"c', 'd"}]}'],
  ['{"a":"{\\"b\\":\\"cdefgh', 'i\\"}"}'],
  ['{"a":"\\\\bcdefg', '"}'],
  ['{"a":"\\u00e9', '"}'],
])("after %s, %s is inside a string value", (before, after) => {
  expect(isInsideString(Buffer.from(before + after), before.length, 1)).toBe(true);
});

test.each([
  ["a name", '{"a', 'b":1}'],
  ["a name after a text", '{"a":"b","c', 'd":1}'],
  ["a name that comes after a text that ends as a name does", '{"a":"b:","c', '":1}'],
  ["a number", '{"a":1', "2}"],
  ["a list of texts", '{"a":["b', '"]}'],
  ["what comes after a text", '{"a":"b"', "}"],
  ["what comes after a text that is a colon", '{"a":":"', ',"b":1}'],
  ["what comes after a text that is a colon in a list", '{"a":["b",":"', "]}"],
  ["what comes after a text that ends with a backslash", '{"a":"\\\\"', "}"],
  ["an escape", '{"a":"b\\', 'n"}'],
  ["an escape of a number", '{"a":"\\u00e', '9"}'],
  ["the value of a name that ends as no name does", '{"a,":"b', '"}'],
])("in %s it proves nothing", (_, before, after) => {
  expect(isInsideString(Buffer.from(before + after), before.length, 1)).toBe(false);
});

test("a string that opens before `from` does not count", () => {
  expect(isInsideString(Buffer.from('{"a":"bcd"}'), 8, 6)).toBe(false);
});

const text = fc.oneof(
  fc.constantFrom("", ":", '"', '":"', 'a":"b', "\\", '\\"', "},{", "é", "a:", "1", "[", ","),
  fc.string({ unit: fc.constantFrom("a", '"', "\\", ":", ",", "{", "\n", "é") }),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, text, fc.nat(), fc.array(tie("value")), tie("object")),
  object: fc.dictionary(text, tie("value"), { noNullPrototype: true }),
})).object;

test("it returns true for no byte of an object outside string values", () => {
  fc.assert(
    fc.property(json, (object) => {
      const bytes = Buffer.from(JSON.stringify(object));
      const inTexts = bytesInTexts(bytes);
      for (let at = 0; at < bytes.length; at++)
        if (isInsideString(bytes, at, 0)) expect([at, inTexts.has(at)]).toEqual([at, true]);
    }),
    { numRuns: 1000 },
  );
});

/** Returns the offsets inside string values, with their closing quotes, by a scan from the start. */
function bytesInTexts(bytes: Buffer): Set<number> {
  const found = new Set<number>();
  for (const { 0: token, index } of bytes.toString("latin1").matchAll(/"(?:[^"\\]|\\.)*"/g)) {
    if (bytes[index - 1] !== ":".charCodeAt(0)) continue;
    for (let at = index + 1; at < index + token.length; at++) found.add(at);
  }
  return found;
}
