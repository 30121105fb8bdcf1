import fc from "fast-check";
import { expect, test } from "vitest";
import { parsableKeys, parsableValues } from "../../../test/json-keys.ts";
import type { ByteRange } from "./byte-range.ts";
import { type ChangedMember, changedMembers } from "./changed-members.ts";

test("members with different bytes are returned with their values, and no others", () => {
  expect(changes({ a: 1, b: { c: "d" }, e: [1] }, { a: 1, b: { c: "x" }, e: [1, 2] })).toEqual([
    { name: "b", before: { c: "d" }, after: { c: "x" } },
    { name: "e", before: [1], after: [1, 2] },
  ]);
});

test("a number that is a prefix of another is a change", () => {
  expect(changes({ a: 1, b: 2 }, { a: 12, b: 2 })).toEqual([{ name: "a", before: 1, after: 12 }]);
  expect(changes({ a: 12 }, { a: 1 })).toEqual([{ name: "a", before: 12, after: 1 }]);
});

test("a member that only one object has is returned", () => {
  expect(changes({ a: 1 }, { a: 1, b: 2 })).toEqual([{ name: "b", before: undefined, after: 2 }]);
  expect(changes({ a: 1 }, {})).toEqual([{ name: "a", before: 1, after: undefined }]);
});

test("members in another order are compared by name", () => {
  expect(changes({ a: 1, b: "2", c: [] }, { c: [], b: "3", a: 1 })).toEqual([
    { name: "b", before: "2", after: "3" },
  ]);
});

test.each(['{ "a":1}', "[]", '{"a":1', '{"a"}', '{"\\u0061":1}', '{"a":}', ""])(
  "of %j only a parser knows",
  (odd) => {
    const plain = written('{"a":1}');
    expect([changedMembers(plain, written(odd)), changedMembers(written(odd), plain)]).toEqual([
      undefined,
      undefined,
    ]);
  },
);

const value = fc.oneof(
  fc.constantFrom("", '"', "\\", '\\"', '":', "},{", "é", "1", null, true, 0, 1, 12, -1.5, 1e300),
  fc.string(),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.dictionary(parsableKeys(fc.oneof(fc.constantFrom("a", "labels", '"', "\\"), fc.string())), fc.string(), {
    noNullPrototype: true,
  }),
);
const name = fc.constantFrom("name", "labels", "annotations", "generation", "resourceVersion", "a");
const members = fc.array(fc.tuple(name, value), { maxLength: 6 }).map((all) => new Map(all));
/** Pairs of objects that differ in everything, in one member, or only in the order of members. */
const pairs = fc.oneof(
  fc.tuple(members, members),
  fc.tuple(members, name, value).map(([all, at, other]) => [all, new Map([...all, [at, other]])] as const),
  members.map((all) => [all, new Map([...all].reverse())] as const),
);

test("for any members, those that are not returned are equal to a parser, and those that differ are returned", () => {
  fc.assert(
    fc.property(pairs, ([first, second]) => {
      const [before, after] = [Object.fromEntries(first), Object.fromEntries(second)];
      const named = new Map(changes(before, after)?.map(({ name, ...values }) => [name, values]));
      const names = [...new Set([...first.keys(), ...second.keys()])];
      const other = names.filter((each) => JSON.stringify(before[each]) !== JSON.stringify(after[each]));
      expect([...named.keys()].sort()).toEqual(other.sort());
      for (const each of other)
        expect(named.get(each)).toEqual({ before: plain(before[each]), after: plain(after[each]) });
    }),
  );
});

test("a known changed member does not change the other results", () => {
  fc.assert(
    fc.property(pairs, fc.nat(6), fc.nat(6), ([first, second], at, laterAt) => {
      const one = versioned(first, at, "1");
      const other = versioned(second, laterAt, "22");
      const known = { name: "version", before: one.version, after: other.version };
      const found = changedMembers(one.all, other.all, known)?.map(told);
      const expected = changedMembers(one.all, other.all)?.map(told);
      expect(found?.toSorted(byName)).toEqual(expected?.toSorted(byName));
    }),
  );
});

/** Returns an object with one more member at this index, and the range of its value. */
function versioned(
  members: ReadonlyMap<string, unknown>,
  at: number,
  version: string,
): { readonly all: ByteRange; readonly version: ByteRange } {
  const texts = Array.from(members, ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  const all = written(`{${texts.toSpliced(at, 0, `"version":"${version}"`).join(",")}}`);
  const { bytes } = all;
  const start = bytes.indexOf('"version":') + '"version":'.length; // inside a string its quotes would be escaped
  return { all, version: { bytes, start, end: start + version.length + 2 } };
}

const deep = fc.dictionary(name, parsableValues({ maxDepth: 3 }), { noNullPrototype: true });
const alike = fc
  .tuple(deep, name, parsableValues({ maxDepth: 3 }))
  .map(([all, at, other]) => [all, { ...all, [at]: other }] as const);

test("nested objects are compared whichever of them is longer", () => {
  fc.assert(
    fc.property(fc.oneof(alike, fc.tuple(deep, deep)), ([one, other]) => {
      for (const [before, after] of [
        [one, other],
        [other, one],
      ] as const) {
        const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
        const not = names.filter((each) => JSON.stringify(before[each]) !== JSON.stringify(after[each]));
        const expected = not.map((each) => ({
          name: each,
          before: plain(before[each]),
          after: plain(after[each]),
        }));
        const found = changes(before, after) ?? [];
        expect(found.toSorted(byName)).toEqual(expected.toSorted(byName));
      }
    }),
  );
});

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1;
}

function changes(
  before: object,
  after: object,
): { name: string; before: unknown; after: unknown }[] | undefined {
  const [old, now] = [written(JSON.stringify(before)), written(JSON.stringify(after))];
  return changedMembers(old, now)?.map(told);
}

function told({ name, before, after }: ChangedMember): { name: string; before: unknown; after: unknown } {
  return { name, before: parsed(before), after: parsed(after) };
}

/** Returns the range of a text between other bytes. */
function written(text: string): ByteRange {
  const bytes = Buffer.from(`{"metadata":${text},"spec":{"a":1}}`);
  const start = '{"metadata":'.length;
  return { bytes, start, end: start + Buffer.byteLength(text) };
}

function parsed(value: ByteRange | undefined): unknown {
  return value && JSON.parse(value.bytes.toString("utf8", value.start, value.end));
}

/** Parses a value. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
