import { expect, test } from "vitest";
import { InFlight, type InFlightEntry } from "./in-flight.ts";

const entries = (length: number): InFlightEntry[] => Array.from({ length }, () => ({ slot: 0 }));

test("remove returns the start time of each entry, in any order of removal", () => {
  const inFlight = new InFlight();
  const items = entries(3000);
  for (const [index, entry] of items.entries()) inFlight.add(entry, index);
  const [even, odd] = [0, 1].map((rest) => items.filter((_, index) => index % 2 === rest));
  expect(even?.map((entry) => inFlight.remove(entry))).toEqual(even?.map((_, index) => 2 * index));
  for (const [index, entry] of (even ?? []).entries()) inFlight.add(entry, 5000 + index);
  expect(odd?.reverse().map((entry) => inFlight.remove(entry))).toEqual(
    odd?.map((_, index) => 2999 - 2 * index),
  );
  expect(even?.map((entry) => inFlight.remove(entry))).toEqual(even?.map((_, index) => 5000 + index));
  expect(inFlight.measure(9000)).toEqual({ count: 0, sumMs: 0, longestMs: 0 });
});

test("only entries in flight are measured", () => {
  const inFlight = new InFlight();
  const [first, second, third] = entries(3) as [InFlightEntry, InFlightEntry, InFlightEntry]; // of length 3
  for (const [index, entry] of [first, second, third].entries()) inFlight.add(entry, 10 * index);
  expect(inFlight.measure(100)).toEqual({ count: 3, sumMs: 270, longestMs: 100 });
  inFlight.remove(first);
  expect(inFlight.measure(100)).toEqual({ count: 2, sumMs: 170, longestMs: 90 });
});

test("a long-running entry keeps its start time and one slot while others come and go", () => {
  const inFlight = new InFlight();
  const [long, short] = entries(2) as [InFlightEntry, InFlightEntry]; // of length 2
  inFlight.add(long, 7);
  for (let ms = 8; ms < 1000; ms++) {
    inFlight.add(short, ms);
    expect([short.slot, inFlight.remove(short)]).toEqual([1, ms]);
  }
  expect([inFlight.measure(1000).longestMs, inFlight.remove(long)]).toEqual([993, 7]);
});
