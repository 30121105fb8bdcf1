import { expect, test } from "vitest";
import { type Out, Outs } from "./outs.ts";

const some = (length: number): Out[] => Array.from({ length }, () => ({ slot: 0 }));

test("each is told when it left, however many are out and in whatever order they come back", () => {
  const outs = new Outs();
  const items = some(3000);
  for (const [index, out] of items.entries()) outs.add(out, index);
  const [even, odd] = [0, 1].map((rest) => items.filter((_, index) => index % 2 === rest));
  expect(even?.map((out) => outs.remove(out))).toEqual(even?.map((_, index) => 2 * index));
  for (const [index, out] of (even ?? []).entries()) outs.add(out, 5000 + index);
  expect(odd?.reverse().map((out) => outs.remove(out))).toEqual(odd?.map((_, index) => 2999 - 2 * index));
  expect(even?.map((out) => outs.remove(out))).toEqual(even?.map((_, index) => 5000 + index));
  expect(outs.measure(9000)).toEqual({ count: 0, sumMs: 0, longestMs: 0 });
});

test("those that are out are measured, and no others", () => {
  const outs = new Outs();
  const [first, second, third] = some(3) as [Out, Out, Out]; // three were asked for
  for (const [index, out] of [first, second, third].entries()) outs.add(out, 10 * index);
  expect(outs.measure(100)).toEqual({ count: 3, sumMs: 270, longestMs: 100 });
  outs.remove(first);
  expect(outs.measure(100)).toEqual({ count: 2, sumMs: 170, longestMs: 90 });
});

test("one that stays out keeps its time and one slot, while many leave and come back", () => {
  const outs = new Outs();
  const [long, short] = some(2) as [Out, Out]; // two were asked for
  outs.add(long, 7);
  for (let ms = 8; ms < 1000; ms++) {
    outs.add(short, ms);
    expect([short.slot, outs.remove(short)]).toEqual([1, ms]);
  }
  expect([outs.measure(1000).longestMs, outs.remove(long)]).toEqual([993, 7]);
});
