import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteMatcher } from "./byte-matcher.ts";

/** Of few letters, so that words are often found, and almost found. */
const text = fc.string({ unit: fc.constantFrom("a", "b", "é"), maxLength: 30 });

test("a word begins where its bytes are, and nowhere else", () => {
  fc.assert(
    fc.property(text, text, text, (before, word, after) => {
      const bytes = Buffer.from(before + word + after);
      const looked = new ByteMatcher(word);
      for (let at = 0; at <= bytes.length; at++) {
        const there = bytes.subarray(at, at + looked.length).equals(Buffer.from(word));
        expect({ at, begins: looked.matchesAt(bytes, at) }).toEqual({ at, begins: there });
      }
    }),
    { numRuns: 1000 },
  );
});

test("one byte that is another makes it another word", () => {
  const text = '{"type":"MODIFIED","object":';
  const word = new ByteMatcher(text);
  for (let at = 0; at < text.length; at++) {
    const bytes = Buffer.from(text);
    bytes[at] = (bytes[at] ?? 0) ^ 0x80;
    expect({ at, begins: word.matchesAt(bytes, 0) }).toEqual({ at, begins: false });
  }
});

test("a word that bytes break off in is not in them", () => {
  for (const text of ["a", "abc", "abcd", "abcdefghi"]) {
    expect(new ByteMatcher(text).matchesAt(Buffer.from(text.slice(0, -1)), 0)).toBe(false);
  }
});

test("a key is the word if it is as long as that", () => {
  const bytes = Buffer.from('"name":1,"names":2');
  const name = new ByteMatcher("name");
  expect([name.isKey(bytes, 1, 7), name.isKey(bytes, 10, 17)]).toEqual([true, false]);
});
