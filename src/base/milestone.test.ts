import { expect, test } from "vitest";
import { Milestone } from "./milestone.ts";
import { settled } from "./virtual-clock.ts";

test("the promise is pending until the milestone is reached, which is final", async () => {
  const milestone = new Milestone();
  const { promise } = milestone;
  expect([milestone.reached, await stateOf(promise)]).toEqual([false, "pending"]);
  milestone.reach();
  milestone.fail(new Error("too late"));
  milestone.reach();
  expect([milestone.reached, await stateOf(promise), await stateOf(milestone.promise)]).toEqual([
    true,
    "resolved",
    "resolved",
  ]);
});

test("a failure rejects the current promise, and a later read returns the current result", async () => {
  const milestone = new Milestone();
  const { promise } = milestone;
  const [first, second] = [new Error("first"), new Error("second")];
  milestone.fail(first);
  expect([await stateOf(promise), await stateOf(milestone.promise)]).toEqual([first, first]);
  milestone.fail(second);
  expect([await stateOf(promise), await stateOf(milestone.promise)]).toEqual([first, second]);
  milestone.reach();
  expect([await stateOf(promise), await stateOf(milestone.promise)]).toEqual([first, "resolved"]);
});

/**
 * Returns the state of a promise after all pending microtasks: `pending`, `resolved`, or the reason of its rejection.
 */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  let state: unknown = "pending";
  promise.then(
    () => {
      state = "resolved";
    },
    (error: unknown) => {
      state = error;
    },
  );
  await settled();
  return state;
}
