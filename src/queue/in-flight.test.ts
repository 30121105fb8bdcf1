import { expect, test } from "vitest";
import { InFlight, type InFlightEntry } from "./in-flight.ts";

const some = (length: number): InFlightEntry[] => Array.from({ length }, () => ({ slot: 0 }));

test("each is told when it left, however many are out and in whatever order they come back", () => {
  const inFlight = new InFlight();
  const items = some(3000);
  for (const [index, out] of items.entries()) inFlight.add(out, index);
  const [even, odd] = [0, 1].map((rest) => items.filter((_, index) => index % 2 === rest));
  expect(even?.map((out) => inFlight.remove(out))).toEqual(even?.map((_, index) => 2 * index));
  for (const [index, out] of (even ?? []).entries()) inFlight.add(out, 5000 + index);
  expect(odd?.reverse().map((out) => inFlight.remove(out))).toEqual(odd?.map((_, index) => 2999 - 2 * index));
  expect(even?.map((out) => inFlight.remove(out))).toEqual(even?.map((_, index) => 5000 + index));
  expect(inFlight.measure(9000)).toEqual({ count: 0, sumMs: 0, longestMs: 0 });
});

test("those that are out are measured, and no others", () => {
  const inFlight = new InFlight();
  const [first, second, third] = some(3) as [InFlightEntry, InFlightEntry, InFlightEntry]; // three were asked for
  for (const [index, out] of [first, second, third].entries()) inFlight.add(out, 10 * index);
  expect(inFlight.measure(100)).toEqual({ count: 3, sumMs: 270, longestMs: 100 });
  inFlight.remove(first);
  expect(inFlight.measure(100)).toEqual({ count: 2, sumMs: 170, longestMs: 90 });
});

test("one that stays out keeps its time and one slot, while many leave and come back", () => {
  const inFlight = new InFlight();
  const [long, short] = some(2) as [InFlightEntry, InFlightEntry]; // two were asked for
  inFlight.add(long, 7);
  for (let ms = 8; ms < 1000; ms++) {
    inFlight.add(short, ms);
    expect([short.slot, inFlight.remove(short)]).toEqual([1, ms]);
  }
  expect([inFlight.measure(1000).longestMs, inFlight.remove(long)]).toEqual([993, 7]);
});
