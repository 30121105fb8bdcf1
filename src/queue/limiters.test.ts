import { expect, test } from "vitest";
import { seededRng, VirtualClock } from "../base/index.ts";
import { atMost, type Limiter, maxOf, perKeyBackoff, perKeyFastSlow, tokenBucket } from "./index.ts";

const delays = (limiter: Limiter, key: string, count: number) =>
  Array.from({ length: count }, () => limiter.delayMs(key));

test("the delay of a key doubles with each retry, independently of other keys", () => {
  const limiter = perKeyBackoff({ baseMs: 1, maxMs: 1000 });
  expect(delays(limiter, "a", 5)).toEqual([1, 2, 4, 8, 16]);
  expect(delays(limiter, "b", 2)).toEqual([1, 2]);
  expect([limiter.retries("a"), limiter.retries("b"), limiter.retries("c")]).toEqual([5, 2, 0]);
});

test("forget resets the delay of a key", () => {
  const limiter = perKeyBackoff({ baseMs: 1, maxMs: 1000 });
  delays(limiter, "a", 3);
  limiter.forget("a");
  expect([limiter.retries("a"), ...delays(limiter, "a", 2)]).toEqual([0, 1, 2]);
});

test("the delay never exceeds maxMs, after any number of retries", () => {
  const limiter = perKeyBackoff({ baseMs: 60_000, maxMs: 3_600_000_000 });
  expect(delays(limiter, "a", 5000).at(-1)).toBe(3_600_000_000);
});

test("jitter extends a delay by at most its fraction", () => {
  const limiter = perKeyBackoff({ baseMs: 100, maxMs: 100, jitter: 0.5, rng: seededRng(1) });
  const waits = delays(limiter, "a", 100);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(100);
  expect(Math.max(...waits)).toBeLessThanOrEqual(150);
  expect(new Set(waits).size).toBeGreaterThan(50);
});

test("an invalid backoff is rejected", () => {
  expect(() => perKeyBackoff({ baseMs: 10, maxMs: 5 })).toThrow(
    "expected 0 <= baseMs <= maxMs, got baseMs 10 and maxMs 5",
  );
});

test("the first retries are fast and further ones slow, until forget", () => {
  const limiter = perKeyFastSlow({ fastTries: 3, fastMs: 5, slowMs: 10_000 });
  expect(delays(limiter, "a", 5)).toEqual([5, 5, 5, 10_000, 10_000]);
  limiter.forget("a");
  expect([...delays(limiter, "a", 1), limiter.retries("a")]).toEqual([5, 1]);
});

test("a token bucket delays all keys together once the burst is used up", () => {
  const limiter = tokenBucket({ perSecond: 10, burst: 2, clock: new VirtualClock() });
  expect(["a", "b", "c", "a"].map((key) => limiter.delayMs(key))).toEqual([0, 0, 100, 200]);
  limiter.forget("a");
  expect(limiter.retries("a")).toBe(0);
});

test("maxOf returns the longest delay and the highest count", () => {
  const clock = new VirtualClock();
  const limiter = maxOf(perKeyBackoff({ baseMs: 5 }), tokenBucket({ perSecond: 10, burst: 2, clock }));
  expect([...delays(limiter, "a", 4), limiter.retries("a")]).toEqual([5, 10, 100, 200, 4]);
  limiter.forget("a");
  expect(limiter.retries("a")).toBe(0);
});

test("forget of maxOf resets every limiter", () => {
  const limiter = maxOf(
    perKeyBackoff({ baseMs: 1, maxMs: 4 }),
    perKeyFastSlow({ fastTries: 1, fastMs: 2, slowMs: 3 }),
  );
  expect(delays(limiter, "a", 3)).toEqual([2, 3, 4]);
  limiter.forget("a");
  expect(delays(limiter, "a", 3)).toEqual([2, 3, 4]);
});

test("atMost caps the delay", () => {
  const limiter = atMost(15, perKeyBackoff({ baseMs: 5 }));
  expect([...delays(limiter, "a", 4), limiter.retries("a")]).toEqual([5, 10, 15, 15, 4]);
  limiter.forget("a");
  expect(limiter.delayMs("a")).toBe(5);
});
