import { expect, test } from "vitest";
import { VirtualClock } from "../base/index.ts";
import { type AddOptions, WorkQueue } from "./index.ts";

const newest = Array.from({ length: 16 }, (_, index) => 500_000 - 16 + index);

/** Adds a key 500,000 times, which takes too long if the cost grows with the number of reasons. */
function addOften(queue: WorkQueue<string, number>, options: AddOptions<number> = {}): void {
  for (let reason = 0; reason < 500_000; reason++) queue.add("a", { ...options, reasons: [reason] });
}

test("a queued key keeps its newest 16 reasons and counts all", () => {
  const queue = new WorkQueue<string, number>({ clock: new VirtualClock() });
  addOften(queue);
  using lease = queue.take();
  expect([lease?.reasons, lease?.reasonCount]).toEqual([newest, 500_000]);
});

test("a key that is added while it is processed keeps its newest 16 reasons and counts all", () => {
  const queue = new WorkQueue<string, number>({ clock: new VirtualClock() });
  queue.add("a", { reasons: [-1] });
  const first = queue.take();
  addOften(queue);
  first?.[Symbol.dispose]();
  using second = queue.take();
  expect([first?.reasons, second?.reasons, second?.reasonCount]).toEqual([[-1], newest, 500_000]);
});

test("a delayed key keeps its newest 16 reasons, which join those of a queued one", async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue<string, number>({ clock });
  addOften(queue, { afterMs: 1000 });
  queue.add("a", { reasons: [-1] });
  await clock.advance(1000);
  using lease = queue.take();
  expect([lease?.reasons, lease?.reasonCount]).toEqual([newest, 500_001]);
});

test("a single add with many reasons keeps the newest 16", () => {
  const queue = new WorkQueue<string, number>({ clock: new VirtualClock() });
  queue.add("a", { reasons: Array.from({ length: 100 }, (_, index) => index) });
  using lease = queue.take();
  expect([lease?.reasons.length, lease?.reasons.at(-1), lease?.reasonCount]).toEqual([16, 99, 100]);
});

test("mergeReason merges reasons, and reasonCount counts them", () => {
  const mergeReason = (kept: string[], added: string): void => {
    if (!kept.includes(added)) kept.push(added);
  };
  const queue = new WorkQueue<string, string>({ mergeReason, clock: new VirtualClock() });
  for (const reason of ["x", "y", "x"]) queue.add("a", { reasons: [reason] });
  queue.add("a", { reasons: ["y", "z"], reasonCount: 10 });
  using lease = queue.take();
  expect([lease?.reasons, lease?.reasonCount]).toEqual([["x", "y", "z"], 13]);
});
