import fc from "fast-check";
import { expect, test } from "vitest";
import { Backoff, type BackoffOptions } from "./backoff.ts";
import { seededRng } from "./random.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** Returns the first `count` delays. Each one is requested when the previous one is over. */
async function delays(options: BackoffOptions, count: number): Promise<number[]> {
  const clock = new VirtualClock();
  const backoff = new Backoff({ clock, ...options });
  const taken: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const delayMs = backoff.next();
    taken.push(delayMs);
    await clock.advance(delayMs);
  }
  return taken;
}

test("delays double up to maxMs", async () => {
  expect(await delays({ initialMs: 800, maxMs: 30_000 }, 8)).toEqual([
    800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000,
  ]);
});

test("delays grow by the factor", async () => {
  expect(await delays({ initialMs: 10, maxMs: 1_000, factor: 5 }, 4)).toEqual([10, 50, 250, 1_000]);
  expect(await delays({ initialMs: 10, maxMs: 10, factor: 1 }, 3)).toEqual([10, 10, 10]);
});

test("an initial delay above maxMs is capped", async () => {
  expect(await delays({ initialMs: 50, maxMs: 20 }, 2)).toEqual([20, 20]);
});

test("delays stay finite after thousands of failures", async () => {
  expect((await delays({ initialMs: 1, maxMs: 500 }, 2_000)).at(-1)).toBe(500);
});

test("jitter extends a delay by at most its fraction, and does not affect the next delay", async () => {
  const options = { initialMs: 100, maxMs: 1_000, jitter: 0.5 };
  expect(await delays({ ...options, rng: { next: () => 0 } }, 5)).toEqual([100, 200, 400, 800, 1_000]);
  expect(await delays({ ...options, rng: { next: () => 0.5 } }, 5)).toEqual([125, 250, 500, 1_000, 1_250]);
});

test("every delay is within its bounds", async () => {
  const share = fc.double({ min: 0, max: 2, noNaN: true });
  await fc.assert(
    fc.asyncProperty(fc.nat(), share, fc.integer({ min: 1, max: 5 }), async (seed, jitter, factor) => {
      const taken = await delays({ initialMs: 10, maxMs: 3_000, factor, jitter, rng: seededRng(seed) }, 10);
      for (const [index, delayMs] of taken.entries()) {
        const leastMs = Math.min(10 * factor ** index, 3_000);
        expect(delayMs).toBeGreaterThanOrEqual(leastMs);
        expect(delayMs).toBeLessThanOrEqual(leastMs * (1 + jitter));
      }
    }),
    { numRuns: 30 },
  );
});

test("delays reset only after more than resetAfterMs without a failure", async () => {
  const clock = new VirtualClock();
  const backoff = new Backoff({ initialMs: 10, maxMs: 100, resetAfterMs: 200, clock });
  const taken = [backoff.next(), backoff.next()];
  await clock.advance(200);
  taken.push(backoff.next());
  await clock.advance(200.5);
  taken.push(backoff.next(), backoff.next());
  expect(taken).toEqual([10, 20, 40, 10, 20]);
});

test("without resetAfterMs delays never reset by themselves", async () => {
  const clock = new VirtualClock();
  const backoff = new Backoff({ initialMs: 10, maxMs: 100, clock });
  backoff.next();
  await clock.advance(1e12);
  expect(backoff.next()).toBe(20);
});

test("reset returns to the first delay", () => {
  const backoff = new Backoff({ initialMs: 10, maxMs: 100, clock: new VirtualClock() });
  const taken = [backoff.next(), backoff.next()];
  backoff.reset();
  expect([...taken, backoff.next(), backoff.next()]).toEqual([10, 20, 10, 20]);
});

test("resetAfterMs must cover the longest delay including jitter", () => {
  const options = { initialMs: 10, maxMs: 100, jitter: 0.5 };
  expect(() => new Backoff({ ...options, resetAfterMs: 149 })).toThrow(
    new RangeError("expected resetAfterMs to cover the longest delay, 150, got 149"),
  );
  expect(() => new Backoff({ ...options, resetAfterMs: 150 })).not.toThrow();
  expect(() => new Backoff({ initialMs: 10, maxMs: 100, resetAfterMs: 100 })).not.toThrow();
});
