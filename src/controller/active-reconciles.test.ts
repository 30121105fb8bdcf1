import { expect, test } from "vitest";
import { type LogEntry, loggerTo, VirtualClock } from "../base/index.ts";
import { type ActiveReconcile, ActiveReconciles } from "./active-reconciles.ts";

function watched(): {
  readonly clock: VirtualClock;
  readonly runs: ActiveReconciles;
  readonly told: unknown[];
} {
  const clock = new VirtualClock();
  const told: unknown[] = [];
  const log = loggerTo(({ level, message, fields }: LogEntry) => told.push([level, message, fields]));
  return { clock, told, runs: new ActiveReconciles({ longMs: 300_000, clock, log }) };
}

/** A reconcile of this key that begins now. */
function begin({ clock, runs }: ReturnType<typeof watched>, key: string): ActiveReconcile {
  const run = { key, beganMs: clock.monotonic(), told: false };
  runs.began(run);
  return run;
}

const long = (key: string, seconds = 300): unknown => [
  "warn",
  "a reconcile does not end, and holds a worker",
  { key, seconds },
];

test("what ends in time is not told of, however many follow each other", async () => {
  const world = watched();
  const { clock, runs, told } = world;
  for (let index = 0; index < 10; index++) {
    const run = begin(world, "a");
    await clock.advance(299_999);
    runs.ended(run);
  }
  await clock.advance(1_000_000);
  expect([told, clock.timers]).toEqual([[], 0]);
});

test("each that does not end is told of once, when it is long", async () => {
  const world = watched();
  const { clock, runs, told } = world;
  begin(world, "a");
  await clock.advance(100_000);
  begin(world, "b");
  runs.ended(begin(world, "c"));
  await clock.advance(200_000);
  expect([told, runs.keys]).toEqual([[long("a")], ["a", "b"]]);
  await clock.advance(10_000_000);
  expect([told, clock.timers]).toEqual([[long("a"), long("b")], 0]);
});

test("one that begins after another was told of is looked at too", async () => {
  const world = watched();
  const { clock, told } = world;
  begin(world, "a");
  await clock.advance(300_000);
  begin(world, "b");
  await clock.advance(300_000);
  expect(told).toEqual([long("a"), long("b")]);
});

test("who is closed leaves no timer", () => {
  const world = watched();
  begin(world, "a");
  world.runs.close();
  expect(world.clock.timers).toBe(0);
});

test("those that go on are named in the order they began, whichever ended before", () => {
  const world = watched();
  const [a, b, , d] = ["a", "b", "c", "d"].map((key) => begin(world, key));
  for (const run of [b, d, b]) if (run) world.runs.ended(run);
  expect([world.runs.keys, world.runs.size]).toEqual([["a", "c"], 2]);
  if (a) world.runs.ended(a);
  expect(world.runs.keys).toEqual(["c"]);
  world.runs.close();
});
