import { expect, test } from "vitest";
import { runAtOnce, type Steps, TimeSlice, type WaitingSteps, waitFor } from "./time-slice.ts";
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

test("steps wait for a promise, and continue with its value in a new slice", async () => {
  const clock = new VirtualClock();
  const slice = new TimeSlice(clock, 10);
  function* waiting(): WaitingSteps<string> {
    const value = yield* waitFor(clock.advance(10).then(() => "value"));
    return `${value} ${slice.over}`;
  }
  expect(await slice.run(waiting())).toBe("value false");
});

test("the error of a promise is thrown in the steps that wait for it", async () => {
  function* waiting(): WaitingSteps<string> {
    try {
      return yield* waitFor(Promise.reject(new Error("broken")));
    } catch (error) {
      return `caught ${String(error)}`;
    }
  }
  expect(await new TimeSlice(new VirtualClock()).run(waiting())).toBe("caught Error: broken");
});
