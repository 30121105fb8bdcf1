import fc from "fast-check";
import { expect, test } from "vitest";
import { sleep } from "./clock.ts";
import { settled, VirtualClock } from "./virtual-clock.ts";

test("time does not move until it is advanced", async () => {
  const clock = new VirtualClock(1_000);
  expect([clock.now(), clock.monotonic()]).toEqual([1_000, 0]);
  await clock.advance(5);
  expect([clock.now(), clock.monotonic()]).toEqual([1_005, 5]);
});

test("wall time starts at 2026-01-01 by default", () => {
  expect(new Date(new VirtualClock().now()).toISOString()).toBe("2026-01-01T00:00:00.000Z");
});

test("timers fire when due, in order of due time, each seeing its own time", async () => {
  const clock = new VirtualClock();
  const fired: number[] = [];
  for (const ms of [30, 10, 20, 40]) clock.timer(ms, () => fired.push(clock.monotonic()));
  await clock.advance(30);
  expect(fired).toEqual([10, 20, 30]);
});

test("timers with the same due time fire in the order in which they were set", async () => {
  const clock = new VirtualClock();
  const fired: string[] = [];
  clock.timer(10, () => fired.push("a"));
  await clock.advance(5);
  clock.timer(5, () => fired.push("b"));
  clock.timer(5, () => fired.push("c"));
  await clock.advance(5);
  expect(fired).toEqual(["a", "b", "c"]);
});

test("a timer set by a timer fires in the same advance if it becomes due", async () => {
  const clock = new VirtualClock();
  const fired: number[] = [];
  const again = (): void => {
    fired.push(clock.monotonic());
    clock.timer(10, again);
  };
  clock.timer(10, again);
  await clock.advance(35);
  expect(fired).toEqual([10, 20, 30]);
  expect([clock.monotonic(), clock.nextMs]).toEqual([35, 5]);
});

test("code resumed by one timer runs, through any number of promises, before the next timer fires", async () => {
  const clock = new VirtualClock();
  const log: string[] = [];
  const walk = async (): Promise<void> => {
    await sleep(10, { clock });
    for (let step = 0; step < 100; step += 1) await Promise.resolve();
    log.push("walked");
    await sleep(1, { clock });
    log.push("woke");
  };
  clock.timer(12, () => log.push("twelve"));
  const walking = walk();
  await clock.advance(12);
  await walking;
  expect(log).toEqual(["walked", "woke", "twelve"]);
});

test("pending promises settle before the first timer of an advance", async () => {
  const clock = new VirtualClock();
  const log: string[] = [];
  void Promise.resolve().then(() => clock.timer(5, () => log.push("five")));
  clock.timer(10, () => log.push("ten"));
  await clock.advance(10);
  expect(log).toEqual(["five", "ten"]);
});

test("a timer with a zero or negative delay fires with the next advance, never synchronously", async () => {
  const clock = new VirtualClock();
  const fired: string[] = [];
  clock.timer(0, () => fired.push("zero"));
  clock.timer(-5, () => fired.push("negative"));
  expect(fired).toEqual([]);
  await clock.advance(0);
  expect(fired).toEqual(["zero", "negative"]);
  expect(clock.monotonic()).toBe(0);
});

test("a cancelled timer does not fire, even if another timer cancels it", async () => {
  const clock = new VirtualClock();
  const fired: string[] = [];
  const late = clock.timer(20, () => fired.push("late"));
  clock.timer(10, () => late.cancel());
  {
    using _scoped = clock.timer(5, () => fired.push("scoped"));
  }
  await clock.advance(30);
  expect(fired).toEqual([]);
});

test("timers counts pending timers only", async () => {
  const clock = new VirtualClock();
  const cancelled = clock.timer(10, () => {});
  clock.timer(20, () => {});
  clock.timer(30, () => {});
  expect(clock.timers).toBe(3);
  cancelled.cancel();
  expect(clock.timers).toBe(2);
  await clock.advance(20);
  expect(clock.timers).toBe(1);
});

test("advanceToNext fires one timer and returns false without one", async () => {
  const clock = new VirtualClock();
  const fired: number[] = [];
  for (const ms of [20, 10]) clock.timer(ms, () => fired.push(ms));
  expect([await clock.advanceToNext(), clock.monotonic(), [...fired]]).toEqual([true, 10, [10]]);
  expect([await clock.advanceToNext(), clock.monotonic(), [...fired]]).toEqual([true, 20, [10, 20]]);
  expect([await clock.advanceToNext(), clock.monotonic(), clock.nextMs]).toEqual([false, 20, undefined]);
});

test("advanceToNext lets promises settle before and after the timer", async () => {
  const clock = new VirtualClock();
  const log: string[] = [];
  const walk = async (): Promise<void> => {
    for (let step = 0; step < 100; step += 1) await Promise.resolve();
  };
  const walking = walk().then(() => clock.timer(5, () => void walk().then(() => log.push("walked"))));
  expect([await clock.advanceToNext(), log]).toEqual([true, ["walked"]]);
  await walking;
});

test("advance throws the error of a timer", async () => {
  const clock = new VirtualClock();
  clock.timer(10, () => {
    throw new Error("broken");
  });
  await expect(clock.advance(20)).rejects.toThrow("broken");
});

test("advance waits for its own settle before the first timer and after each", async () => {
  const clock = new VirtualClock();
  const log: string[] = [];
  for (const ms of [10, 20]) clock.timer(ms, () => log.push(`timer ${ms}`));
  await clock.advance(15, async () => {
    await settled();
    log.push(`settled at ${clock.monotonic()}`);
  });
  expect([log, clock.monotonic()]).toEqual([["settled at 0", "timer 10", "settled at 10"], 15]);
});

test("two advances at once never move the time back", async () => {
  const clock = new VirtualClock();
  clock.timer(10, () => {});
  const long = clock.advance(30);
  await clock.advance(5);
  expect(clock.monotonic()).toBe(10);
  await long;
  expect(clock.monotonic()).toBe(30);
});

test.each([-1, Number.NaN])("advance rejects %d", async (ms) => {
  await expect(new VirtualClock().advance(ms)).rejects.toThrow(
    `expected milliseconds to go forward by, got ${ms}`,
  );
});

test("timers fire in the order of due time, then of setting, for any advances", async () => {
  const schedule = fc.record({
    delays: fc.array(fc.nat(50), { maxLength: 20 }),
    moves: fc.array(fc.nat(20), { maxLength: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(schedule, async ({ delays, moves }) => {
      const clock = new VirtualClock();
      const fired: Array<readonly [number, number]> = [];
      for (const [index, ms] of delays.entries())
        clock.timer(ms, () => fired.push([clock.monotonic(), index]));
      for (const ms of moves) await clock.advance(ms);
      const end = moves.reduce((sum, ms) => sum + ms, 0);
      const due = delays.map((ms, index) => [ms, index] as const).filter(([ms]) => ms <= end);
      expect(fired).toEqual(moves.length ? due.sort((a, b) => a[0] - b[0] || a[1] - b[1]) : []);
      expect(clock.timers).toBe(delays.length - fired.length);
    }),
    { numRuns: 50 },
  );
});
