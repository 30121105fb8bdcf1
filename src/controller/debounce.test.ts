import { expect, test } from "vitest";
import { VirtualClock } from "../base/index.ts";
import { Debounce } from "./debounce.ts";

function debounced(): { clock: VirtualClock; debounce: Debounce<number>; released: unknown[] } {
  const clock = new VirtualClock();
  const released: unknown[] = [];
  const mergeReason = (kept: number[], added: number): void => void kept.push(added);
  const debounce = new Debounce<number>(
    { quietMs: 100, maxMs: 250, mergeReason, clock },
    (key, { reasons }) => released.push([clock.monotonic(), key, reasons]),
  );
  return { clock, debounce, released };
}

test("what is said of a key is released together, when it has been quiet", async () => {
  const { clock, debounce, released } = debounced();
  debounce.add("a", 1);
  await clock.advance(60);
  debounce.add("a", 2);
  debounce.add("b", 3);
  await clock.advance(200);
  expect(released).toEqual([
    [160, "a", [1, 2]],
    [160, "b", [3]],
  ]);
  expect([debounce.size, clock.timers]).toEqual([0, 0]);
});

test("a key that is never quiet is released after the longest time", async () => {
  const { clock, debounce, released } = debounced();
  for (let at = 0; at < 6; at++) {
    debounce.add("a", at);
    await clock.advance(60);
  }
  expect(released).toEqual([[250, "a", [0, 1, 2, 3, 4]]]);
});

test("what is cleared is not released", async () => {
  const { clock, debounce, released } = debounced();
  debounce.add("a", 1);
  debounce.clear();
  await clock.advance(1000);
  expect([released, debounce.size, clock.timers]).toEqual([[], 0, 0]);
});

test("reasons are merged while a key is held back, and counted", async () => {
  const clock = new VirtualClock();
  const mergeReason = (kept: number[], added: number): void => void kept.splice(0, 1, added);
  const released: unknown[] = [];
  const debounce = new Debounce<number>({ quietMs: 0, maxMs: 0, mergeReason, clock }, (_, held) =>
    released.push([held.reasons, held.reasonCount]),
  );
  for (let reason = 1; reason <= 100_000; reason++) debounce.add("a", reason);
  await clock.advance(0);
  expect(released).toEqual([[[100_000], 100_000]]);
});
