import fc from "fast-check";
import { expect, test } from "vitest";
import { TokenBucket } from "./token-bucket.ts";
import { settled, VirtualClock } from "./virtual-clock.ts";

function bucketOf(perSecond: number, burst: number): { bucket: TokenBucket; clock: VirtualClock } {
  const clock = new VirtualClock();
  return { bucket: new TokenBucket({ perSecond, burst, clock }), clock };
}

const tries = (bucket: TokenBucket, count: number): boolean[] =>
  Array.from({ length: count }, () => bucket.tryTake());

test("a bucket starts full: it allows a burst, then rejects", () => {
  const { bucket } = bucketOf(10, 3);
  expect(tries(bucket, 5)).toEqual([true, true, true, false, false]);
});

test("tokens are refilled one by one", async () => {
  const { bucket, clock } = bucketOf(10, 3);
  tries(bucket, 3);
  await clock.advance(99);
  expect(tries(bucket, 1)).toEqual([false]);
  await clock.advance(1);
  expect(tries(bucket, 2)).toEqual([true, false]);
});

test("an idle bucket refills to the burst and no further", async () => {
  const { bucket, clock } = bucketOf(10, 3);
  tries(bucket, 3);
  await clock.advance(3_600_000);
  expect(tries(bucket, 5)).toEqual([true, true, true, false, false]);
});

test("reserve returns the milliseconds until the token is available", async () => {
  const { bucket, clock } = bucketOf(10, 2);
  expect([bucket.reserve(), bucket.reserve(), bucket.reserve(), bucket.reserve()]).toEqual([0, 0, 100, 200]);
  await clock.advance(150);
  expect(bucket.reserve()).toBe(150);
});

test("tryTake fails while reservations are pending", async () => {
  const { bucket, clock } = bucketOf(10, 1);
  for (const _ of [1, 2, 3]) bucket.reserve();
  await clock.advance(200);
  expect(bucket.tryTake()).toBe(false);
  await clock.advance(100);
  expect(bucket.tryTake()).toBe(true);
});

test("take resolves in order: the burst immediately, the rest at the rate", async () => {
  const { bucket, clock } = bucketOf(10, 2);
  const passed: Array<readonly [number, number]> = [];
  const taking = [0, 1, 2, 3, 4].map(async (index) => {
    await bucket.take();
    passed.push([index, clock.monotonic()]);
  });
  await clock.advance(1_000);
  await Promise.all(taking);
  expect(passed).toEqual([
    [0, 0],
    [1, 0],
    [2, 100],
    [3, 200],
    [4, 300],
  ]);
});

test("an available token is taken without a timer", async () => {
  const { bucket, clock } = bucketOf(10, 1);
  const taking = bucket.take();
  expect(clock.timers).toBe(0);
  await taking;
});

test("an aborted wait rejects with the reason, leaves no timer, and returns its token", async () => {
  const { bucket, clock } = bucketOf(10, 1);
  bucket.reserve();
  const stop = new AbortController();
  const taking = bucket.take({ signal: stop.signal });
  expect(clock.timers).toBe(1);
  stop.abort(new Error("enough"));
  await expect(taking).rejects.toThrow("enough");
  expect([clock.timers, bucket.reserve()]).toEqual([0, 100]);
});

test("a take with an aborted signal takes no token", async () => {
  const { bucket } = bucketOf(10, 1);
  await expect(bucket.take({ signal: AbortSignal.abort("enough") })).rejects.toThrow("enough");
  expect(bucket.tryTake()).toBe(true);
});

test.each([
  [0, 1],
  [-1, 1],
  [Number.NaN, 1],
  [1, 0],
  [1, Number.NaN],
])("a bucket of %d per second and a burst of %d is refused", (perSecond, burst) => {
  expect(() => bucketOf(perSecond, burst)).toThrow(
    new RangeError(`expected perSecond > 0 and burst >= 1, got ${perSecond} and ${burst}`),
  );
});

test("with any waits and aborts, the burst and the rate are never exceeded, and every wait without an abort resolves", async () => {
  const step = fc.record({ restMs: fc.nat(300), takers: fc.nat(4), abort: fc.boolean() });
  const plan = fc.record({
    perSecond: fc.integer({ min: 1, max: 50 }),
    burst: fc.integer({ min: 1, max: 5 }),
    steps: fc.array(step, { maxLength: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(plan, async ({ perSecond, burst, steps }) => {
      const { bucket, clock } = bucketOf(perSecond, burst);
      const passedMs: number[] = [];
      let gaveUp = 0;
      let asked = 0;
      for (const { restMs, takers, abort } of steps) {
        const stop = new AbortController();
        for (let taker = 0; taker < takers; taker += 1) {
          asked += 1;
          void bucket.take({ signal: stop.signal }).then(
            () => passedMs.push(clock.monotonic()),
            () => {
              gaveUp += 1;
            },
          );
        }
        await clock.advance(restMs);
        if (abort) stop.abort();
        await settled();
      }
      while (await clock.advanceToNext());
      expect(passedMs.length).toBe(asked - gaveUp);
      for (const [index, atMs] of passedMs.entries()) {
        expect(index + 1).toBeLessThanOrEqual(burst + (atMs * perSecond) / 1000 + 1e-6);
      }
    }),
    { numRuns: 50 },
  );
});
