import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { AbortPool } from "./abort-pool.ts";
import { follow } from "./signals.ts";

test("a controller is used again after it was given back", () => {
  const pool = new AbortPool();
  const first = pool.take();
  const second = pool.take();
  pool.giveBack(first);
  const third = pool.take();
  expect([first === second, first === third]).toEqual([false, true]);
});

test("an abort calls every follower with its reason, unless the follower was disposed", () => {
  const controller = new AbortPool().take();
  const seen: string[] = [];
  const note =
    (name: string) =>
    (reason: unknown): void =>
      void seen.push(`${name}: ${reason}`);
  follow(controller.signal, note("first"));
  follow(controller.signal, note("disposed"))[Symbol.dispose]();
  follow(controller.signal, note("second"));
  controller.abort("stop");
  follow(controller.signal, note("late"));
  expect(seen).toEqual(["first: stop", "second: stop", "late: stop"]);
});

test("followers add no listener to the signal of a pool", () => {
  const { signal } = new AbortPool().take();
  const before = getEventListeners(signal, "abort").length;
  for (let index = 0; index < 20; index++) follow(signal, () => {});
  expect(getEventListeners(signal, "abort")).toHaveLength(before);
});

test("a controller that was aborted, or is still followed, is not used again", () => {
  const pool = new AbortPool();
  const aborted = pool.take();
  aborted.abort();
  pool.giveBack(aborted);
  const followed = pool.take();
  follow(followed.signal, () => {});
  pool.giveBack(followed);
  expect([aborted, followed]).not.toContain(pool.take());
});

test("a controller is not reused forever, so that listeners which are not removed cannot accumulate", () => {
  const pool = new AbortPool();
  const used = new Map<AbortController, number>();
  for (let index = 0; index < 5000; index++) {
    const controller = pool.take();
    used.set(controller, (used.get(controller) ?? 0) + 1);
    pool.giveBack(controller);
  }
  expect([...used.values()]).toEqual([1000, 1000, 1000, 1000, 1000]);
});
