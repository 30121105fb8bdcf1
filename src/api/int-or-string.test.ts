import { expect, test } from "vitest";
import { resolveIntOrPercent } from "./int-or-string.ts";

test("a number is itself for any total", () => {
  expect(resolveIntOrPercent(3, 10, { round: "up" })).toBe(3);
});

test("a percentage is a share of the total, rounded as requested", () => {
  const shares = (["up", "down"] as const).map((round) => resolveIntOrPercent("25%", 10, { round }));
  expect(shares).toEqual([3, 2]);
  expect(resolveIntOrPercent("100%", 7, { round: "down" })).toBe(7);
  expect(resolveIntOrPercent("0%", 7, { round: "up" })).toBe(0);
  expect(resolveIntOrPercent("150%", 2, { round: "down" })).toBe(3);
});

test.each(["3", "25.5%", "%", "x%", "", "25 %"])("%j is neither a number nor a percentage", (text) => {
  expect(() => resolveIntOrPercent(text, 10, { round: "up" })).toThrow(
    `expected a number or a percentage like "25%", got ${JSON.stringify(text)}`,
  );
});
