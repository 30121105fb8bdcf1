import { getEventListeners } from "node:events";
import { afterEach, expect, test, vi } from "vitest";
import { realClock, sleep } from "./clock.ts";
import { VirtualClock } from "./virtual-clock.ts";

afterEach(() => vi.useRealTimers());

const dayMs = 86_400_000;

/** Timers of this process that keep it alive. */
const held = (): number => process.getActiveResourcesInfo().filter((type) => type === "Timeout").length;

test("a sleep ends exactly after its time", async () => {
  const clock = new VirtualClock();
  const woken: number[] = [];
  const sleeping = sleep(100, { clock }).then(() => woken.push(clock.monotonic()));
  await clock.advance(99);
  expect(woken).toEqual([]);
  await clock.advance(1);
  await sleeping;
  expect(woken).toEqual([100]);
});

test("a sleep that has ended leaves no listener on its signal", async () => {
  const clock = new VirtualClock();
  const { signal } = new AbortController();
  const sleeping = sleep(100, { clock, signal });
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  await clock.advance(100);
  await sleeping;
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("an aborted sleep rejects with the reason, and leaves no timer and no listener", async () => {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const sleeping = sleep(100, { clock, signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(sleeping).rejects.toThrow("enough");
  expect(clock.timers).toBe(0);
  expect(getEventListeners(stop.signal, "abort")).toEqual([]);
});

test("a sleep with an aborted signal rejects immediately", async () => {
  const clock = new VirtualClock();
  await expect(sleep(100, { clock, signal: AbortSignal.abort("enough") })).rejects.toThrow("enough");
  expect(clock.timers).toBe(0);
});

test("the real clock returns the system time, and its monotonic time increases", () => {
  vi.useFakeTimers({ now: 1_000 });
  const before = realClock.monotonic();
  vi.advanceTimersByTime(250);
  expect([realClock.now(), realClock.monotonic() - before]).toEqual([1_250, 250]);
});

test.each([0, -5, 1, dayMs, 60 * dayMs])("a real timer of %d ms fires once, at its time", (afterMs) => {
  vi.useFakeTimers();
  const run = vi.fn();
  realClock.timer(afterMs, run);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(Math.max(afterMs - 1, 0));
  expect(run).toHaveBeenCalledTimes(afterMs > 0 ? 0 : 1);
  vi.advanceTimersByTime(100 * dayMs);
  expect(run).toHaveBeenCalledTimes(1);
});

test.each([0, 30 * dayMs])("a real timer cancelled after %d ms does not fire", (cancelledMs) => {
  vi.useFakeTimers();
  const run = vi.fn();
  const timer = realClock.timer(60 * dayMs, run);
  vi.advanceTimersByTime(cancelledMs);
  timer.cancel();
  vi.advanceTimersByTime(100 * dayMs);
  expect(run).not.toHaveBeenCalled();
});

test("disposing a real timer cancels it", () => {
  vi.useFakeTimers();
  {
    using _timer = realClock.timer(5, () => {});
    expect(vi.getTimerCount()).toBe(1);
  }
  expect(vi.getTimerCount()).toBe(0);
});

test("a real timer keeps the process alive unless it is in the background", () => {
  const before = held();
  using _background = realClock.timer(dayMs, () => {}, { background: true });
  expect(held()).toBe(before);
  using _foreground = realClock.timer(dayMs, () => {});
  expect(held()).toBe(before + 1);
});
