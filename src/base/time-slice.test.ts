import { expect, test } from "vitest";
import { runAtOnce, type Steps, TimeSlice } from "./time-slice.ts";
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

/** Two steps, each of which does some work. */
function* twoSteps(work: () => void, order: string[]): Steps<string> {
  for (const step of ["first step", "second step"]) {
    order.push(step);
    work();
    yield;
  }
  return "result";
}

test.each([
  [10, ["first step", "other work", "second step"]],
  [1, ["first step", "second step", "other work"]],
])("steps of %i ms in slices of 10 ms run in this order: %j", async (stepMs, expected) => {
  let nowMs = 0;
  const order: string[] = [];
  const slice = new TimeSlice(Object.assign(new VirtualClock(), { monotonic: () => nowMs }), 10);
  const other = new Promise<void>((resolve) => setImmediate(() => resolve(void order.push("other work"))));
  const work = (): void => {
    nowMs += stepMs;
  };
  expect(await slice.run(twoSteps(work, order))).toBe("result");
  await other;
  expect(order).toEqual(expected);
});

test("steps that run at once do not pause", () => {
  const order: string[] = [];
  expect(runAtOnce(twoSteps(() => undefined, order))).toBe("result");
  expect(order).toEqual(["first step", "second step"]);
});
