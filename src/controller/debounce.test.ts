import { expect, test } from "vitest";
import { VirtualClock } from "../base/index.ts";
import { Debounce } from "./debounce.ts";

function debounced(): { clock: VirtualClock; debounce: Debounce<number>; released: unknown[] } {
  const clock = new VirtualClock();
  const released: unknown[] = [];
  const mergeReason = (reasons: number[], added: number): void => void reasons.push(added);
  const debounce = new Debounce<number>(
    { quietMs: 100, maxMs: 250, mergeReason, clock },
    (key, { reasons }) => released.push([clock.monotonic(), key, reasons]),
  );
  return { clock, debounce, released };
}

test("the reasons of a key are released together after quietMs", async () => {
  const { clock, debounce, released } = debounced();
  debounce.add("a", 1, 0);
  await clock.advance(60);
  debounce.add("a", 2, 0);
  debounce.add("b", 3, 0);
  await clock.advance(200);
  expect(released).toEqual([
    [160, "a", [1, 2]],
    [160, "b", [3]],
  ]);
  expect([debounce.size, clock.timers]).toEqual([0, 0]);
});

test("a key with constant events is released after maxMs", async () => {
  const { clock, debounce, released } = debounced();
  for (let at = 0; at < 6; at++) {
    debounce.add("a", at, 0);
    await clock.advance(60);
  }
  expect(released).toEqual([[250, "a", [0, 1, 2, 3, 4]]]);
});

test("cleared keys are not released", async () => {
  const { clock, debounce, released } = debounced();
  debounce.add("a", 1, 0);
  debounce.clear();
  await clock.advance(1000);
  expect([released, debounce.size, clock.timers]).toEqual([[], 0, 0]);
});

test("reasons are merged and counted while a key is delayed", async () => {
  const clock = new VirtualClock();
  const mergeReason = (reasons: number[], added: number): void => void reasons.splice(0, 1, added);
  const released: unknown[] = [];
  const debounce = new Debounce<number>({ quietMs: 0, maxMs: 0, mergeReason, clock }, (_, held) =>
    released.push([held.reasons, held.reasonCount]),
  );
  for (let reason = 1; reason <= 100_000; reason++) debounce.add("a", reason, 0);
  await clock.advance(0);
  expect(released).toEqual([[[100_000], 100_000]]);
});

test("a key is released with the highest priority of its reasons", async () => {
  const clock = new VirtualClock();
  const released: unknown[] = [];
  const debounce = new Debounce<number>(
    { quietMs: 100, maxMs: 250, mergeReason: () => {}, clock },
    (key, { priority }) => released.push([key, priority]),
  );
  for (const [key, priority] of [
    ["a", -100],
    ["a", 10],
    ["a", 0],
    ["b", -100],
  ] as const)
    debounce.add(key, 1, priority);
  await clock.advance(100);
  expect(released).toEqual([
    ["a", 10],
    ["b", -100],
  ]);
});
