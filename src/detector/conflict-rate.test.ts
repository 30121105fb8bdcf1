import { expect, test } from "vitest";
import { ConflictRate } from "./conflict-rate.ts";

const limits = { least: 3, share: 0.5, withinMs: 1000 };

test("few are no trouble, and many are told and counted anew", () => {
  const rate = new ConflictRate(limits);
  const told = Array.from({ length: 6 }, () => rate.refused(0));
  const all = { conflicts: 3, writes: 3 };
  expect(told).toEqual([undefined, undefined, all, undefined, undefined, all]);
});

test("many among many more that succeed are no trouble", () => {
  const rate = new ConflictRate(limits);
  for (let writes = 1; writes <= 10; writes += 1) rate.wrote(0);
  const told = Array.from({ length: 10 }, () => rate.refused(0));
  expect(told).toEqual([...Array.from({ length: 9 }), { conflicts: 10, writes: 20 }]);
});

test("those of before have nothing to do with those of now", () => {
  const rate = new ConflictRate(limits);
  expect([rate.refused(0), rate.refused(0), rate.refused(1001)]).toEqual([undefined, undefined, undefined]);
});
