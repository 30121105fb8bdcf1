import { expect, test } from "vitest";
import { seededRng, VirtualClock } from "../base/index.ts";
import { atMost, type Limiter, maxOf, perKeyBackoff, perKeyFastSlow, tokenBucket } from "./index.ts";

const delays = (limiter: Limiter, key: string, count: number) =>
  Array.from({ length: count }, () => limiter.delayMs(key));

test("each try of a key waits twice as long as the one before, whatever other keys do", () => {
  const limiter = perKeyBackoff({ baseMs: 1, maxMs: 1000 });
  expect(delays(limiter, "a", 5)).toEqual([1, 2, 4, 8, 16]);
  expect(delays(limiter, "b", 2)).toEqual([1, 2]);
  expect([limiter.retries("a"), limiter.retries("b"), limiter.retries("c")]).toEqual([5, 2, 0]);
});

test("a key that is forgotten waits as at the first time", () => {
  const limiter = perKeyBackoff({ baseMs: 1, maxMs: 1000 });
  delays(limiter, "a", 3);
  limiter.forget("a");
  expect([limiter.retries("a"), ...delays(limiter, "a", 2)]).toEqual([0, 1, 2]);
});

test("after any number of tries the wait is the longest, exactly", () => {
  const limiter = perKeyBackoff({ baseMs: 60_000, maxMs: 3_600_000_000 });
  expect(delays(limiter, "a", 5000).at(-1)).toBe(3_600_000_000);
});

test("jitter lengthens a wait by at most its share", () => {
  const limiter = perKeyBackoff({ baseMs: 100, maxMs: 100, jitter: 0.5, rng: seededRng(1) });
  const waits = delays(limiter, "a", 100);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(100);
  expect(Math.max(...waits)).toBeLessThanOrEqual(150);
  expect(new Set(waits).size).toBeGreaterThan(50);
});

test("a backoff that cannot be is refused", () => {
  expect(() => perKeyBackoff({ baseMs: 10, maxMs: 5 })).toThrow(
    "expected 0 <= baseMs <= maxMs, got baseMs 10 and maxMs 5",
  );
});

test("a few tries are fast, those after are slow, until the key is forgotten", () => {
  const limiter = perKeyFastSlow({ fastTries: 3, fastMs: 5, slowMs: 10_000 });
  expect(delays(limiter, "a", 5)).toEqual([5, 5, 5, 10_000, 10_000]);
  limiter.forget("a");
  expect([...delays(limiter, "a", 1), limiter.retries("a")]).toEqual([5, 1]);
});

test("a bucket lets a burst go at once, then makes all keys wait for their turn", () => {
  const limiter = tokenBucket({ perSecond: 10, burst: 2, clock: new VirtualClock() });
  expect(["a", "b", "c", "a"].map((key) => limiter.delayMs(key))).toEqual([0, 0, 100, 200]);
  limiter.forget("a");
  expect(limiter.retries("a")).toBe(0);
});

test("of several limiters the longest wait and the highest count are taken", () => {
  const clock = new VirtualClock();
  const limiter = maxOf(perKeyBackoff({ baseMs: 5 }), tokenBucket({ perSecond: 10, burst: 2, clock }));
  expect([...delays(limiter, "a", 4), limiter.retries("a")]).toEqual([5, 10, 100, 200, 4]);
  limiter.forget("a");
  expect(limiter.retries("a")).toBe(0);
});

test("a key that several limiters forget is forgotten by each of them", () => {
  const limiter = maxOf(
    perKeyBackoff({ baseMs: 1, maxMs: 4 }),
    perKeyFastSlow({ fastTries: 1, fastMs: 2, slowMs: 3 }),
  );
  expect(delays(limiter, "a", 3)).toEqual([2, 3, 4]);
  limiter.forget("a");
  expect(delays(limiter, "a", 3)).toEqual([2, 3, 4]);
});

test("a wait is never longer than it is capped to", () => {
  const limiter = atMost(15, perKeyBackoff({ baseMs: 5 }));
  expect([...delays(limiter, "a", 4), limiter.retries("a")]).toEqual([5, 10, 15, 15, 4]);
  limiter.forget("a");
  expect(limiter.delayMs("a")).toBe(5);
});
