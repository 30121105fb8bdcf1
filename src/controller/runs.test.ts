import { expect, test } from "vitest";
import { type LogEntry, loggerTo, VirtualClock } from "../base/index.ts";
import { Runs } from "./runs.ts";

function watched(): { readonly clock: VirtualClock; readonly runs: Runs; readonly told: unknown[] } {
  const clock = new VirtualClock();
  const told: unknown[] = [];
  const log = loggerTo(({ level, message, fields }: LogEntry) => told.push([level, message, fields]));
  return { clock, told, runs: new Runs({ longMs: 300_000, clock, log }) };
}

const long = (key: string, seconds = 300): unknown => [
  "warn",
  "a reconcile does not end, and holds a worker",
  { key, seconds },
];

test("what ends in time is not told of, however many follow each other", async () => {
  const { clock, runs, told } = watched();
  for (let index = 0; index < 10; index++) {
    runs.began("a", clock.monotonic());
    await clock.advance(299_999);
    runs.ended("a");
  }
  await clock.advance(1_000_000);
  expect([told, clock.timers]).toEqual([[], 0]);
});

test("each that does not end is told of once, when it is long", async () => {
  const { clock, runs, told } = watched();
  runs.began("a", clock.monotonic());
  await clock.advance(100_000);
  runs.began("b", clock.monotonic());
  runs.began("c", clock.monotonic());
  runs.ended("c");
  await clock.advance(200_000);
  expect([told, runs.keys]).toEqual([[long("a")], ["a", "b"]]);
  await clock.advance(10_000_000);
  expect([told, clock.timers]).toEqual([[long("a"), long("b")], 0]);
});

test("one that begins after another was told of is looked at too", async () => {
  const { clock, runs, told } = watched();
  runs.began("a", clock.monotonic());
  await clock.advance(300_000);
  runs.began("b", clock.monotonic());
  await clock.advance(300_000);
  expect(told).toEqual([long("a"), long("b")]);
});

test("who is closed leaves no timer", () => {
  const { clock, runs } = watched();
  runs.began("a", clock.monotonic());
  runs.close();
  expect(clock.timers).toBe(0);
});
