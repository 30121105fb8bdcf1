import { expect, test } from "vitest";
import { withShiftedDate } from "./shifted-date.ts";

const hourMs = 3_600_000;

test("Date is ahead in all its forms while the function runs, and as before afterwards", () => {
  const before = Date.now();
  const inside = withShiftedDate(hourMs, () => [
    Date.now(),
    Date.parse(new Date().toISOString()),
    Date.parse(Date()),
  ]);
  const after = Date.now();
  for (const time of inside) {
    expect(time).toBeGreaterThan(before + hourMs - 1000); // text has no milliseconds
    expect(time).toBeLessThanOrEqual(after + hourMs);
  }
});

test("dates of a given time are not shifted", () => {
  expect(withShiftedDate(hourMs, () => [new Date(0).toISOString(), Date.UTC(1970, 0, 1)])).toEqual([
    "1970-01-01T00:00:00.000Z",
    0,
  ]);
  expect(withShiftedDate(hourMs, () => new Date())).toBeInstanceOf(Date);
});

test("Date is as before after an error", () => {
  const original = Date;
  expect(() =>
    withShiftedDate(hourMs, () => {
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(Date).toBe(original);
});
