import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { AbortPool } from "./abort-pool.ts";
import { onAbort } from "./signals.ts";

test("a controller is used again after its release", () => {
  const pool = new AbortPool();
  const first = pool.take();
  const second = pool.take();
  pool.release(first);
  const third = pool.take();
  expect([first === second, first === third]).toEqual([false, true]);
});

test("an abort notifies every listener with its reason, except disposed ones", () => {
  const controller = new AbortPool().take();
  const seen: string[] = [];
  const note =
    (name: string) =>
    (reason: unknown): void =>
      void seen.push(`${name}: ${reason}`);
  onAbort(controller.signal, note("first"));
  onAbort(controller.signal, note("disposed"))[Symbol.dispose]();
  onAbort(controller.signal, note("second"));
  controller.abort("stop");
  onAbort(controller.signal, note("late"));
  expect(seen).toEqual(["first: stop", "second: stop", "late: stop"]);
});

test("onAbort adds no event listener to the signal of a pool", () => {
  const { signal } = new AbortPool().take();
  const before = getEventListeners(signal, "abort").length;
  for (let index = 0; index < 20; index++) onAbort(signal, () => {});
  expect(getEventListeners(signal, "abort")).toHaveLength(before);
});

test("a controller that was aborted, or still has listeners, is not used again", () => {
  const pool = new AbortPool();
  const aborted = pool.take();
  aborted.abort();
  pool.release(aborted);
  const listened = pool.take();
  onAbort(listened.signal, () => {});
  pool.release(listened);
  expect([aborted, listened]).not.toContain(pool.take());
});

test("a controller is not reused forever, so that listeners which are not removed cannot accumulate", () => {
  const pool = new AbortPool();
  const used = new Map<AbortController, number>();
  for (let index = 0; index < 5000; index++) {
    const controller = pool.take();
    used.set(controller, (used.get(controller) ?? 0) + 1);
    pool.release(controller);
  }
  expect([...used.values()]).toEqual([1000, 1000, 1000, 1000, 1000]);
});
