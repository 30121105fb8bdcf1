import fc from "fast-check";
import { expect, test } from "vitest";
import { below, between, type Rng, realRng, secretToken, seededRng, uuid } from "./random.ts";

const seeds = fc.integer({ min: 0, max: 0xffff_ffff });
const take = (rng: Rng, count: number): number[] => Array.from({ length: count }, () => rng.next());

test("the same seed gives the same numbers, another seed different ones", () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      expect(take(seededRng(seed), 5)).toEqual(take(seededRng(seed), 5));
      expect(take(seededRng(seed), 5)).not.toEqual(take(seededRng(seed + 1), 5));
    }),
  );
});

test("the numbers of a seed are the same in every release", () => {
  expect(take(seededRng(1), 3)).toEqual([0.6270739405881613, 0.002735721180215478, 0.5274470399599522]);
});

test.each([
  ["real", realRng],
  ["seeded", seededRng(7)],
])("%s numbers are in [0, 1) and spread evenly", (_, rng) => {
  const tenths = new Array<number>(10).fill(0);
  for (const number of take(rng, 10_000))
    tenths[Math.floor(number * 10)] = (tenths[Math.floor(number * 10)] ?? 0) + 1;
  expect(tenths).toHaveLength(10);
  for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(300);
});

test("between returns numbers in its range, excluding the end", () => {
  const range = fc.tuple(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: 1, max: 1e6 }));
  fc.assert(
    fc.property(seeds, range, (seed, [from, length]) => {
      const value = between(seededRng(seed), from, from + length);
      expect(value >= from && value < from + length).toBe(true);
    }),
  );
  expect([between({ next: () => 0 }, 5, 9), between({ next: () => 0.75 }, 5, 9)]).toEqual([5, 8]);
});

test("below returns every integer under the limit and no other", () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: 1, max: 20 }), (seed, limit) => {
      const rng = seededRng(seed);
      const seen = new Set(Array.from({ length: 40 * limit }, () => below(rng, limit)));
      expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: limit }, (_, index) => index));
    }),
    { numRuns: 20 },
  );
});

test("a uuid has version 4 and depends on the seed", () => {
  const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  fc.assert(
    fc.property(seeds, (seed) => {
      const rng = seededRng(seed);
      const [first, second] = [uuid(rng), uuid(rng)];
      expect(first).toMatch(version4);
      expect(first).not.toBe(second);
      expect(uuid(seededRng(seed))).toBe(first);
    }),
  );
});

test("a secret token has the requested number of bytes, 32 by default, and is never the same", () => {
  expect(Buffer.from(secretToken(), "base64url")).toHaveLength(32);
  expect(secretToken(10)).toMatch(/^[\w-]{14}$/);
  expect(secretToken()).not.toBe(secretToken());
});
