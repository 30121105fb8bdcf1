import fc from "fast-check";
import { expect, test } from "vitest";
import type { ByteRange } from "./byte-range.ts";
import { commonPrefixLength } from "./common-prefix-length.ts";

const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 40 });
const runs = fc.record({ start: text, end: text, at: fc.nat(20) });

test("the length is that of a byte-by-byte comparison, at any alignment and before any bytes", () => {
  fc.assert(
    fc.property(runs, runs, (one, other) => {
      const [first, second] = [one.start + one.end, one.start + other.end];
      expect(commonPrefixLength(written(first, one.at), written(second, other.at))).toBe(
        sameLetters(first, second),
      );
    }),
  );
});

test("the length is at most that of the shorter range", () => {
  expect([
    commonPrefixLength(written("aaaaaaaaa", 1), written("aaaaaaaaaaaaaaaaaa", 2)),
    commonPrefixLength(written("", 0), written("a", 0)),
  ]).toEqual([9, 0]);
});

test("ranges may end with their memory, and shared memory is supported", () => {
  const bytes = Buffer.from(new SharedArrayBuffer(23));
  bytes.fill("a");
  expect(commonPrefixLength({ bytes, start: 0, end: 11 }, { bytes, start: 12, end: 23 })).toBe(11);
});

function sameLetters(one: string, other: string): number {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  return same;
}

/** Returns a range of a text that is followed by equal bytes. */
function written(text: string, start: number): ByteRange {
  const bytes = Buffer.from(`${"a".repeat(start)}${text}aaaaaaaaaaaa`);
  return { bytes, start, end: start + text.length };
}
