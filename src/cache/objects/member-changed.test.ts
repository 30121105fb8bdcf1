import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ByteRange } from "./byte-range.ts";
import { memberChanged } from "./member-changed.ts";

test.each([
  ["a text", '{"a":"1"}', '{"a":"2"}'],
  ["the end of a text", '{"a":"1"}', '{"a":"12"}'],
  ["a text in an object", '{"a":{"b":"1","c":"2"}}', '{"a":{"b":"3","c":"2"}}'],
  ["a text that holds JSON", '{"a":{"b":"{\\"long\\":1}"}}', '{"a":{"b":"{\\"long\\":2}"}}'],
  ["a text in a list", '{"a":["b"]}', '{"a":["c"]}'],
  ["a number", '{"a":1}', '{"a":12}'],
  ["a name in an object", '{"a":{"b":"1"}}', '{"a":{"c":"1"}}'],
  ["one more in an object", '{"a":{"b":"1"}}', '{"a":{"b":"1","c":"1"}}'],
  ["after an object", '{"x":{"b":"1"},"a":{"b":"1"}}', '{"x":{"b":"1"},"a":{"b":"2"}}'],
  ["after another that is not names for", '{"x":1,"a":"1"}', '{"x":22,"a":"2"}'],
])("%s is a change", (_, before, after) => {
  expect(bothWays(before, after, ["b", "a"])).toEqual([true, true]);
});

test.each([
  ["what is not names for", '{"a":"1","x":"1"}', '{"a":"1","x":"2"}'],
  ["what has a longer name", '{"ab":"1"}', '{"ab":"2"}'],
  ["a member of that name further down", '{"x":{"a":"1"}}', '{"x":{"a":"2"}}'],
  ["another order", '{"a":{"b":"1","c":"2"}}', '{"a":{"c":"2","b":"1"}}'],
  ["another spelling", '{"a":{"b":"\\u0031"}}', '{"a":{"b":"1"}}'],
  ["another spelling of an escape", '{"a":{"b":"\\u00e9"}}', '{"a":{"b":"\\u00E9"}}'],
  ["another spelling of a number", '{"a":1}', '{"a":1.0}'],
  ["nothing", '{"a":"1"}', '{"a":"1"}'],
])("%s is not a change", (_, before, after) => {
  expect(bothWays(before, after, ["b", "a"])).toEqual([false, false]);
});

test.each([
  ["one more", '{"a":"1"}', '{"a":"1","b":"1"}'],
  ["another name", '{"a":"1"}', '{"b":"1"}'],
  ["another order", '{"a":"1","b":"1"}', '{"b":"1","a":"1"}'],
])("with %s the result is undefined", (_, before, after) => {
  expect(bothWays(before, after, ["a"])).toEqual([undefined, undefined]);
});

test("invalid UTF-8 sequences are equal to each other", () => {
  const [one, other] = [0xfe, 0xff].map((byte) => {
    const bytes = Buffer.from('{"a":"?"}');
    bytes[6] = byte;
    return { bytes, start: 0, end: bytes.length };
  }) as [ByteRange, ByteRange]; // two are mapped
  expect(memberChanged(one, other, ["a"])).toBe(false);
});

/** Names so different that no edit of one byte turns one into another. */
const name = fc.constantFrom(
  "labels",
  "annotations",
  "b12",
  'q"":"',
  "colon:::",
  "comma,,,",
  "éé99",
  "\\\\u00e9",
);
const text = fc.oneof(
  fc.constantFrom("", '"', "\\", '":"', '{"a":"b"}', "a:", "1", "é", "\u2028", "\ud800", "😀", "\u0000"),
  fc.string({ unit: fc.constantFrom("a", "b", '"', "\\", ":", ",", "}", "é") }),
);
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: "value" },
    text,
    fc.constantFrom(0, 1, 12, -1.5, 1e300, true, false, null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { noNullPrototype: true, maxKeys: 4 }),
  ),
})).value;
const object = fc.dictionary(name, value, { noNullPrototype: true, minKeys: 1, maxKeys: 5 });
const names = fc.uniqueArray(fc.constantFrom("labels", "annotations", "b12", "colon:::", "comma,,,"), {
  minLength: 1,
  maxLength: 3,
});
const byte = fc.constantFrom(...Buffer.from('ab109é"\\:,{}[]uU/nE.-'));
const edits = fc.record({ at: fc.nat(), cut: fc.nat(2), put: fc.array(byte, { maxLength: 2 }) });

test("after any edit of an object, the result is that of a parser", () => {
  fc.assert(
    fc.property(object, edits, names, (all, edit, names) => {
      const before = Buffer.from(JSON.stringify(all));
      const at = edit.at % before.length;
      const after = Buffer.concat([
        before.subarray(0, at),
        Buffer.from(edit.put),
        before.subarray(at + edit.cut),
      ]);
      fc.pre(isObject(after));
      expectTruth(before, after, names);
    }),
    { numRuns: 3000 },
  );
});

test("for any replaced value and any order, the result is that of a parser", () => {
  fc.assert(
    fc.property(object, fc.array(fc.tuple(name, value), { maxLength: 2 }), names, (all, others, names) => {
      const changed = { ...all, ...Object.fromEntries(others) };
      const turned = Object.fromEntries(Object.entries(changed).reverse());
      for (const after of [changed, turned])
        expectTruth(Buffer.from(JSON.stringify(all)), Buffer.from(JSON.stringify(after)), names);
    }),
    { numRuns: 1000 },
  );
});

test("for strings with any escapes, the result is that of a parser", () => {
  fc.assert(
    fc.property(object, fc.infiniteStream(fc.nat(9)), names, (all, choices, names) => {
      const before = JSON.stringify(all);
      const after = respelled(before, () => choices.next().value === 0);
      expectTruth(Buffer.from(before), Buffer.from(after), names);
    }),
    { numRuns: 1000 },
  );
});

function expectTruth(before: Buffer, after: Buffer, names: readonly string[]): void {
  const [was, is] = [JSON.parse(before.toString()), JSON.parse(after.toString())];
  const truth = names.some((each) => !isDeepStrictEqual(unlessEmpty(was[each]), unlessEmpty(is[each])));
  for (const said of bothWays(before, after, names))
    expect([before.toString(), after.toString(), said ?? truth]).toEqual([
      before.toString(),
      after.toString(),
      truth,
    ]);
}

/** Writes chosen letters of string values as escapes. */
function respelled(json: string, chosen: () => boolean): string {
  const escaped = (one: string) =>
    one.length === 1 && chosen() ? `\\u00${one.charCodeAt(0).toString(16)}` : one;
  return json.replace(/"(?:[^"\\]|\\.)*"/g, (text, at: number) =>
    json[at - 1] === ":" ? text.replace(/\\u....|\\.|[a-z]/g, escaped) : text,
  );
}

function unlessEmpty(value: unknown): unknown {
  const empty = typeof value === "object" && Object.keys(value ?? {}).length === 0;
  return empty ? undefined : value;
}

function isObject(json: Buffer): boolean {
  try {
    const value = JSON.parse(json.toString());
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false; // an edit may make it invalid
  }
}

function bothWays(
  before: string | Buffer,
  after: string | Buffer,
  names: readonly string[],
): (boolean | undefined)[] {
  const [one, other] = [written(before), written(after)];
  return [memberChanged(one, other, names), memberChanged(other, one, names)];
}

/** Returns the range of JSON between other bytes. */
function written(json: string | Buffer): ByteRange {
  const opening = Buffer.from('{"metadata":');
  const bytes = Buffer.concat([opening, Buffer.from(json), Buffer.from(',"spec":{"a":[1]}}')]);
  return { bytes, start: opening.length, end: opening.length + Buffer.byteLength(json) };
}
