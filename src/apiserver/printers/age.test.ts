import { expect, test } from "vitest";
import { ageOf, humanDuration } from "./age.ts";

test.each([
  [0, "0s"],
  [100, "100s"],
  [119, "119s"],
  [120, "2m"],
  [122, "2m2s"],
  [598, "9m58s"],
  [600, "10m"],
  [660, "11m"],
  [10_798, "179m"],
  [10_800, "3h"],
  [14_400, "4h"],
  [14_460, "4h1m"],
  [28_798, "7h59m"],
  [28_802, "8h"],
  [172_798, "47h"],
  [172_800, "2d"],
  [180_000, "2d2h"],
  [691_198, "7d23h"],
  [691_202, "8d"],
  [63_071_900, "729d"],
  [63_072_100, "2y"],
  [63_158_500, "2y1d"],
  [252_287_900, "7y364d"],
  [252_288_100, "8y"],
  [400_000_000, "12y"],
])("%d seconds are shown as %s", (seconds, text) => {
  expect(humanDuration(seconds * 1000)).toBe(text);
});

test("a time up to a second in the future is valid, and a later time is not", () => {
  expect([-900, -1_999, -2_000, -5_000].map(humanDuration)).toEqual(["0s", "0s", "<invalid>", "<invalid>"]);
});

test("an age is independent of the time zone, and a missing time is unknown", () => {
  const now = Date.parse("2026-11-16T03:00:00Z");
  const times = ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00.5+02:00", "2020-01-01", "x", "", undefined];
  expect(times.map((time) => ageOf(time, now))).toEqual([
    "6y321d",
    "6y321d",
    "<invalid>",
    "<invalid>",
    "<unknown>",
    "<unknown>",
  ]);
});
