import { expect, test } from "vitest";
import { VirtualClock } from "../base/index.ts";
import { HeldClock } from "./held-clock.ts";

test("while it is held it tells the time of then, and afterwards what the other tells", async () => {
  const clock = new VirtualClock();
  const held = new HeldClock(clock);
  await clock.advance(5);
  const told = [held.hold()];
  await clock.advance(5);
  told.push(held.monotonic());
  held.release();
  told.push(held.monotonic());
  expect([told, held.now()]).toEqual([[5, 5, 10], clock.now()]);
});

test("timers run out whether it is held or not", async () => {
  const clock = new VirtualClock();
  const held = new HeldClock(clock);
  let rang = 0;
  held.hold();
  held.timer(5, () => {
    rang += 1;
  });
  await clock.advance(5);
  expect([rang, held.monotonic()]).toEqual([1, 0]);
});
