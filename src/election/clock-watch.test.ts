import { expect, test } from "vitest";
import { type Clock, VirtualClock } from "../base/index.ts";
import { ClockWatch, readPeriodMs } from "./clock-watch.ts";

/** A machine whose clocks show what a test sets. */
class Machine implements Clock {
  readonly time = new VirtualClock();
  wallMs = 0;
  monotonicMs = 0;

  now(): number {
    return this.wallMs;
  }

  monotonic(): number {
    return this.monotonicMs;
  }

  timer(afterMs: number, run: () => void): ReturnType<Clock["timer"]> {
    return this.time.timer(afterMs, run);
  }
}

type Reading = readonly [wallMs: number, monotonicMs: number];

// biome-ignore format: a table
const cases: [what: string, readings: readonly Reading[], aheadMs: readonly number[]][] = [
  ["clocks that run alike", [[1000, 1000], [5000, 5000]], [0, 0]],
  ["a suspension", [[60_000, 0], [61_000, 1000]], [60_000, 60_000]],
  ["a step back", [[-60_000, 0], [-59_000, 1000]], [0, 0]],
  ["a suspension, then a step back", [[60_000, 0], [-60_000, 0]], [60_000, 60_000]],
  ["a step back, then a suspension", [[-60_000, 0], [-20_000, 0]], [0, 40_000]],
  ["two suspensions", [[500, 0], [1500, 500]], [500, 1000]],
];

test.each(cases)("%s: the watch counts forward steps only", (_, readings, expected) => {
  const machine = new Machine();
  const watch = new ClockWatch(machine);
  const aheadMs = readings.map(([wallMs, monotonicMs]) => {
    Object.assign(machine, { wallMs, monotonicMs });
    return watch.read().aheadMs;
  });
  expect(aheadMs).toEqual(expected);
});

test("clocks that are read at slightly different times do not add up to a suspension", () => {
  const machine = new Machine();
  const watch = new ClockWatch(machine);
  for (let count = 0; count < 1000; count += 1) {
    machine.wallMs = count % 2 === 0 ? 10 : -10;
    watch.read();
  }
  expect(watch.read().aheadMs).toBeLessThanOrEqual(20);
});

test("small suspensions add up", () => {
  const machine = new Machine();
  const watch = new ClockWatch(machine);
  for (machine.wallMs = 0; machine.wallMs < 3000; machine.wallMs += 7) watch.read();
  expect(watch.read()).toEqual({ monotonicMs: 0, aheadMs: machine.wallMs });
});

test("a started watch reads the clocks once in each period until it is disposed", async () => {
  const machine = new Machine();
  const watch = new ClockWatch(machine);
  const started = watch.start();
  machine.wallMs = 60_000;
  await machine.time.advance(readPeriodMs);
  machine.wallMs = 0;
  expect(watch.read().aheadMs).toBe(60_000);
  started[Symbol.dispose]();
  expect(machine.time.timers).toBe(0);
});
