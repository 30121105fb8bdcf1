import { expect, test } from "vitest";
import { TimeSlice } from "./time-slice.ts";
import { VirtualClock } from "./virtual-clock.ts";

test("a slice is over after its length, and a pause starts a new one", async () => {
  const clock = new VirtualClock();
  const slice = new TimeSlice(clock, 10);
  await clock.advance(9);
  expect(slice.over).toBe(false);
  await clock.advance(1);
  expect(slice.over).toBe(true);
  await slice.pause();
  expect(slice.over).toBe(false);
});

test("other work runs during a pause", async () => {
  const order: string[] = [];
  const slice = new TimeSlice(new VirtualClock());
  setImmediate(() => order.push("other work"));
  await slice.pause();
  order.push("task");
  expect(order).toEqual(["other work", "task"]);
});
