import { expect, test } from "vitest";
import { type LogEntry, loggerTo, VirtualClock } from "../base/index.ts";
import { type ActiveReconcile, ActiveReconciles } from "./active-reconciles.ts";

function start(): {
  readonly clock: VirtualClock;
  readonly active: ActiveReconciles;
  readonly logged: unknown[];
} {
  const clock = new VirtualClock();
  const logged: unknown[] = [];
  const log = loggerTo(({ level, message, fields }: LogEntry) => logged.push([level, message, fields]));
  return { clock, logged, active: new ActiveReconciles({ longMs: 300_000, clock, log }) };
}

/** Starts a reconcile of this key now. */
function begin({ clock, active }: ReturnType<typeof start>, key: string): ActiveReconcile {
  const run = { key, startedMs: clock.monotonic(), reported: false };
  active.add(run);
  return run;
}

const long = (key: string, seconds = 300): unknown => ["warn", "reconcile still running", { key, seconds }];

test("a reconcile that ends in time is not reported, and leaves no timer", async () => {
  const world = start();
  const { clock, active, logged } = world;
  for (let index = 0; index < 10; index++) {
    const run = begin(world, "a");
    await clock.advance(299_999);
    active.remove(run);
  }
  await clock.advance(1_000_000);
  expect([logged, clock.timers]).toEqual([[], 0]);
});

test("a reconcile that does not end is reported once, after longMs", async () => {
  const world = start();
  const { clock, active, logged } = world;
  begin(world, "a");
  await clock.advance(100_000);
  begin(world, "b");
  active.remove(begin(world, "c"));
  await clock.advance(200_000);
  expect([logged, active.keys]).toEqual([[long("a")], ["a", "b"]]);
  await clock.advance(10_000_000);
  expect([logged, clock.timers]).toEqual([[long("a"), long("b")], 0]);
});

test("a reconcile that starts after another was reported is reported too", async () => {
  const world = start();
  const { clock, logged } = world;
  begin(world, "a");
  await clock.advance(300_000);
  begin(world, "b");
  await clock.advance(300_000);
  expect(logged).toEqual([long("a"), long("b")]);
});

test("closing leaves no timer", () => {
  const world = start();
  begin(world, "a");
  world.active.close();
  expect(world.clock.timers).toBe(0);
});

test("keys are listed in start order, whichever reconciles have ended", () => {
  const world = start();
  const [a, b, , d] = ["a", "b", "c", "d"].map((key) => begin(world, key));
  for (const run of [b, d, b]) if (run) world.active.remove(run);
  expect([world.active.keys, world.active.size]).toEqual([["a", "c"], 2]);
  if (a) world.active.remove(a);
  expect(world.active.keys).toEqual(["c"]);
  world.active.close();
});
