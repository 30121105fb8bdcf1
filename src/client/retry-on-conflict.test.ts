import { expect, test } from "vitest";
import { VirtualClock } from "../base/index.ts";
import { ApiError } from "../transport/index.ts";
import { retryOnConflict } from "./index.ts";

const conflict = (): ApiError => new ApiError("changed", { code: 409, reason: "Conflict" });

/** Returns an attempt that fails with these errors in order, then succeeds. */
function attempt(...failures: readonly Error[]) {
  const state = { tries: 0 };
  const run = async (): Promise<string> => {
    const failure = failures[state.tries++];
    if (failure) throw failure;
    return "done";
  };
  return { state, run };
}

/** Runs to the end in virtual time. */
async function settle<T>(clock: VirtualClock, result: Promise<T>): Promise<T> {
  result.catch(() => {}); // the caller awaits it
  while (await clock.advanceToNext());
  return result;
}

test("a success ends the attempts", async () => {
  const { state, run } = attempt();
  expect(await retryOnConflict(run)).toBe("done");
  expect(state.tries).toBe(1);
});

test("conflicts are retried after about ten milliseconds each", async () => {
  const clock = new VirtualClock();
  const { state, run } = attempt(conflict(), conflict());
  expect(await settle(clock, retryOnConflict(run, { clock }))).toBe("done");
  expect(state.tries).toBe(3);
  expect(clock.monotonic()).toBeGreaterThanOrEqual(20);
  expect(clock.monotonic()).toBeLessThanOrEqual(22);
});

test("the last conflict is thrown after five attempts", async () => {
  const clock = new VirtualClock();
  const last = conflict();
  const { state, run } = attempt(conflict(), conflict(), conflict(), conflict(), last);
  await expect(settle(clock, retryOnConflict(run, { clock }))).rejects.toBe(last);
  expect(state.tries).toBe(5);
});

test("the number of attempts can be set", async () => {
  const { state, run } = attempt(conflict(), conflict());
  await expect(retryOnConflict(run, { tries: 1 })).rejects.toMatchObject({ reason: "Conflict" });
  expect(state.tries).toBe(1);
});

test.each([
  ["another failure", new Error("other")],
  ["a name that is taken, though it is 409", new ApiError("taken", { code: 409, reason: "AlreadyExists" })],
])("%s is thrown at once", async (_, failure) => {
  const clock = new VirtualClock();
  const { state, run } = attempt(conflict(), failure);
  await expect(settle(clock, retryOnConflict(run, { clock }))).rejects.toBe(failure);
  expect(state.tries).toBe(2);
});

test("an abort during the delay rejects with the reason", async () => {
  const clock = new VirtualClock();
  const abort = new AbortController();
  const reason = new Error("enough");
  const { state, run } = attempt(conflict());
  const result = retryOnConflict(run, { clock, signal: abort.signal });
  await clock.advance(1);
  abort.abort(reason);
  await expect(result).rejects.toBe(reason);
  expect([state.tries, clock.timers]).toEqual([1, 0]);
});
