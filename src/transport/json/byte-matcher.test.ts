import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteMatcher } from "./byte-matcher.ts";

/** Texts of few letters, so that matches and near matches are frequent. */
const text = fc.string({ unit: fc.constantFrom("a", "b", "é"), maxLength: 30 });

test("a text matches exactly where its bytes are", () => {
  fc.assert(
    fc.property(text, text, text, (before, word, after) => {
      const bytes = Buffer.from(before + word + after);
      const matcher = new ByteMatcher(word);
      for (let at = 0; at <= bytes.length; at++) {
        const there = bytes.subarray(at, at + matcher.length).equals(Buffer.from(word));
        expect({ at, begins: matcher.matchesAt(bytes, at) }).toEqual({ at, begins: there });
      }
    }),
    { numRuns: 1000 },
  );
});

test("one different byte prevents a match", () => {
  const text = '{"type":"MODIFIED","object":';
  const word = new ByteMatcher(text);
  for (let at = 0; at < text.length; at++) {
    const bytes = Buffer.from(text);
    bytes[at] = (bytes[at] ?? 0) ^ 0x80;
    expect({ at, begins: word.matchesAt(bytes, 0) }).toEqual({ at, begins: false });
  }
});

test("a truncated text does not match", () => {
  for (const text of ["a", "abc", "abcd", "abcdefghi"]) {
    expect(new ByteMatcher(text).matchesAt(Buffer.from(text.slice(0, -1)), 0)).toBe(false);
  }
});

test("a key matches only with its full length", () => {
  const bytes = Buffer.from('"name":1,"names":2');
  const name = new ByteMatcher("name");
  expect([name.isKey(bytes, 1, 7), name.isKey(bytes, 10, 17)]).toEqual([true, false]);
});
