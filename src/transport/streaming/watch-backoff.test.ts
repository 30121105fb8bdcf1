import { expect, test } from "vitest";
import { seededRng, VirtualClock } from "../../base/index.ts";
import { ApiError } from "../api-error.ts";
import { WatchBackoff, watchQuery } from "./watch-backoff.ts";

/** Returns the next delay. */
async function delayOf(backoff: WatchBackoff, clock: VirtualClock, error?: Error): Promise<number> {
  const startMs = clock.monotonic();
  const waited = backoff.wait(error, undefined);
  await clock.advanceToNext();
  await waited;
  return clock.monotonic() - startMs;
}

async function delaysOf(backoff: WatchBackoff, clock: VirtualClock, count: number): Promise<number[]> {
  const delays: number[] = [];
  for (let index = 0; index < count; index++) delays.push(await delayOf(backoff, clock));
  return delays;
}

function expectBetween(delays: readonly number[], baseMs: readonly number[]): void {
  const shares = delays.map((ms, index) => ms / (baseMs[index] ?? Number.NaN));
  expect(shares.filter((share) => !(share >= 1 && share < 2))).toEqual([]);
  expect(delays).toHaveLength(baseMs.length);
}

test("the delay doubles from 0.8 s to 30 s, with a jitter of up to 100 %", async () => {
  const clock = new VirtualClock();
  const backoff = new WatchBackoff({ clock, rng: seededRng(1) });
  const delays = await delaysOf(backoff, clock, 8);
  expectBetween(delays, [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
});

test.each([
  [59_999, 3200],
  [60_000, 800],
])(
  "after a connection that was alive for %i ms, the next delay is from %i ms on",
  async (aliveMs, baseMs) => {
    const clock = new VirtualClock();
    const backoff = new WatchBackoff({ clock, rng: seededRng(1) });
    await delaysOf(backoff, clock, 2);
    backoff.ended(aliveMs);
    expectBetween(await delaysOf(backoff, clock, 1), [baseMs]);
  },
);

test("the delay is at least the one that the server requests", async () => {
  const clock = new VirtualClock();
  const backoff = new WatchBackoff({ clock, rng: seededRng(1) });
  const throttled = new ApiError("no", { code: 429, reason: "TooManyRequests", retryAfterMs: 20_000 });
  expect(await delayOf(backoff, clock, throttled)).toBe(20_000);
});

test("an abort ends the wait with the reason", async () => {
  const clock = new VirtualClock();
  const abort = new AbortController();
  const waited = new WatchBackoff({ clock, rng: seededRng(1) }).wait(undefined, abort.signal);
  const reason = new Error("enough");
  abort.abort(reason);
  await expect(waited).rejects.toBe(reason);
  expect(clock.timers).toBe(0);
});

test("a watch requests bookmarks, and an end after 5 to 10 minutes that differs between watches", () => {
  const rng = seededRng(1);
  const queries = Array.from({ length: 100 }, () => watchQuery("7", rng));
  const seconds = queries.map(({ timeoutSeconds }) => Number(timeoutSeconds));
  expect(queries[0]).toEqual({
    resourceVersion: "7",
    allowWatchBookmarks: true,
    timeoutSeconds: expect.toSatisfy(Number.isInteger),
  });
  expect([Math.min(...seconds) >= 300, Math.max(...seconds) < 600]).toEqual([true, true]);
  expect(new Set(seconds).size).toBeGreaterThan(50);
});
