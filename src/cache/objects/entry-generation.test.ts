import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry } from "./entry.ts";
import { EntryReader } from "./entry-reader.ts";
import { Thing } from "./objects.fixture.ts";
import { Slab } from "./slab.ts";

/** Returns the entry of a watch event with this metadata, given as JSON. */
function entryWith(metadata: string): Entry {
  const object = `{"kind":"Thing","apiVersion":"example.dev/v1","metadata":${metadata}}`;
  const bytes = Buffer.from(`{"type":"ADDED","object":${object}}`);
  const frame = new EntryReader({ kind: Thing, slab: new Slab() }).frame(bytes, 0, bytes.length);
  if (frame.type !== "added") throw new Error(`expected an added object, got ${frame.type}`);
  return frame.entry;
}

test.each([
  ["an integer", "7", 7],
  ["an exponent", "1e2", 100],
  ["a negative number", "-3", -3],
  ["a fraction", "2.5", 2.5],
  ["zero", "0", 0],
  ["a string", '"7"', undefined],
  ["null", "null", undefined],
])("a generation written as %s is parsed as JSON", (_, written, expected) => {
  const first = `{"generation":${written},"name":"a","resourceVersion":"1"}`;
  const second = `{"name":"a","resourceVersion":"1","generation":${written}}`;
  const third = `{"name":"a","resourceVersion":"1","uid":"u","generation":${written}}`;
  expect([first, second, third].map((metadata) => entryWith(metadata).generation)).toEqual([
    expected,
    expected,
    expected,
  ]);
});

test.each([
  ["white space", '{"name":"a","resourceVersion":"1","generation": 7}', 7],
  [
    "a nested field of that name before it",
    '{"x":{"generation":1},"name":"a","resourceVersion":"1","generation":7}',
    7,
  ],
  [
    "a nested field of that name alone",
    '{"name":"a","resourceVersion":"1","x":[{"generation":1}]}',
    undefined,
  ],
  [
    "an annotation that quotes it",
    '{"annotations":{"x":"\\"generation\\":1"},"name":"a","resourceVersion":"1"}',
    undefined,
  ],
  ["no generation", '{"name":"a","resourceVersion":"1"}', undefined],
])("the generation is that of the metadata, with %s", (_, metadata, expected) => {
  expect(entryWith(metadata).generation).toBe(expected);
});

const other = fc.constantFrom("labels", "annotations", "x", "uid");
const value = fc.oneof(
  fc.record({ generation: fc.nat() }),
  fc.array(fc.record({ generation: fc.nat() }), { maxLength: 2 }),
  fc.constantFrom('"generation":1', "generation", 5, null),
);
const member = fc.oneof(
  fc.tuple(other, value),
  fc.tuple(
    fc.constant("generation"),
    fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
  ),
);

test("the generation equals that of the parsed metadata, in any order of fields", () => {
  fc.assert(
    fc.property(fc.array(member, { maxLength: 5 }), fc.nat({ max: 5 }), (members, at) => {
      const named = [...members.slice(0, at), ["name", "a"], ["resourceVersion", "1"], ...members.slice(at)];
      const metadata = JSON.stringify(Object.fromEntries(named));
      expect(entryWith(metadata).generation).toBe(JSON.parse(metadata).generation);
    }),
  );
});
