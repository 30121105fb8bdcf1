import fc from "fast-check";
import { expect, test } from "vitest";
import { KnownKeys } from "./known-keys.ts";

/** Keys of every length, some with the same start or end. */
const words = ["ab", "abc", "uid", "name", "names", "abcdefgh", "abcdefgx", "namespace", "resourceVersion"];
const long = ["creationTimestamp", "creationTimestamq", "creationTimespamp", "abcdefghijklmnopqr"];
const all = [...words, ...long];
const keys = new KnownKeys(all.map((word) => [word, word] as const));

const almost = fc
  .tuple(fc.constantFrom(...all), fc.nat(), fc.constantFrom("", "x", '"', ":", "a", "s"))
  .map(([word, place, text]) => {
    const at = place % (word.length + 1);
    return word.slice(0, at) + text + word.slice(at + (place % 2));
  });

test("a known key is recognized with its quote and colon", () => {
  for (const word of all) {
    const bytes = Buffer.from(`{"${word}":`);
    expect(keys.at(bytes, 2)).toMatchObject({ role: word, length: word.length + 2 });
  }
});

test("a similar key is not recognized", () => {
  fc.assert(
    fc.property(almost, fc.constantFrom('":1}', '":', '"', "", '":"name":'), (text, after) => {
      const bytes = Buffer.from(`{"${text}${after}`);
      const begun = all.find((word) => `${text}${after}`.startsWith(`${word}":`));
      expect(keys.at(bytes, 2)?.role).toBe(begun);
    }),
    { numRuns: 5000 },
  );
});

test("a truncated key is not recognized", () => {
  for (const word of all) {
    const whole = `${word}":`;
    for (let end = 0; end < whole.length; end++) {
      expect(keys.at(Buffer.from(whole.slice(0, end)), 0)).toBeUndefined();
    }
  }
});
