import fc from "fast-check";
import { expect, test } from "vitest";
import type { ByteRange } from "./byte-range.ts";
import { commonPrefixLength } from "./common-prefix-length.ts";

const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 40 });
const runs = fc.record({ start: text, end: text, at: fc.nat(20) });

test("it is as many bytes as a loop would find, wherever they lie and whatever follows them", () => {
  fc.assert(
    fc.property(runs, runs, (one, other) => {
      const [first, second] = [one.start + one.end, one.start + other.end];
      expect(commonPrefixLength(written(first, one.at), written(second, other.at))).toBe(
        sameLetters(first, second),
      );
    }),
  );
});

test("it ends with the shorter", () => {
  expect([
    commonPrefixLength(written("aaaaaaaaa", 1), written("aaaaaaaaaaaaaaaaaa", 2)),
    commonPrefixLength(written("", 0), written("a", 0)),
  ]).toEqual([9, 0]);
});

test("also at the end of memory, and where that is shared", () => {
  const bytes = Buffer.from(new SharedArrayBuffer(23));
  bytes.fill("a");
  expect(commonPrefixLength({ bytes, start: 0, end: 11 }, { bytes, start: 12, end: 23 })).toBe(11);
});

function sameLetters(one: string, other: string): number {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  return same;
}

/** Among bytes that go on alike. */
function written(text: string, start: number): ByteRange {
  const bytes = Buffer.from(`${"a".repeat(start)}${text}aaaaaaaaaaaa`);
  return { bytes, start, end: start + text.length };
}
