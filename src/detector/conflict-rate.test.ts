import { expect, test } from "vitest";
import { ConflictRate } from "./conflict-rate.ts";

const limits = { minConflicts: 3, share: 0.5, withinMs: 1000 };

test("a few conflicts are not reported, and many are reported and counted from zero", () => {
  const rate = new ConflictRate(limits);
  const reported = Array.from({ length: 6 }, () => rate.recordConflict(0));
  const all = { conflicts: 3, writes: 3 };
  expect(reported).toEqual([undefined, undefined, all, undefined, undefined, all]);
});

test("conflicts below the share of all writes are not reported", () => {
  const rate = new ConflictRate(limits);
  for (let writes = 1; writes <= 10; writes += 1) rate.recordWrite(0);
  const reported = Array.from({ length: 10 }, () => rate.recordConflict(0));
  expect(reported).toEqual([...Array.from({ length: 9 }), { conflicts: 10, writes: 20 }]);
});

test("conflicts before the time window are not counted", () => {
  const rate = new ConflictRate(limits);
  expect([rate.recordConflict(0), rate.recordConflict(0), rate.recordConflict(1001)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
