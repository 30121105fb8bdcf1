import { expect, test } from "vitest";
import { labelMatcher } from "./label-matcher.ts";
import { type LabelSelectorRequirement, selectorMatcher } from "./label-selector.ts";

test("all parts of a selector must hold", () => {
  const matcher = selectorMatcher({
    matchLabels: { app: "web" },
    matchExpressions: [
      { key: "tier", operator: "In", values: ["b", "a", "b"] },
      { key: "zone", operator: "NotIn", values: ["x"] },
      { key: "canary", operator: "DoesNotExist" },
      { key: "track", operator: "Exists", values: [] },
    ],
  });
  expect(matcher.text).toBe("app=web,!canary,tier in (a,b),track,zone notin (x)");
  expect(matcher.matches({ app: "web", tier: "a", track: "" })).toBe(true);
  expect(matcher.matches({ app: "web", tier: "c", track: "" })).toBe(false);
});

test("an empty selector matches everything and a missing one nothing", () => {
  expect(selectorMatcher({}).matches(undefined)).toBe(true);
  expect(selectorMatcher({ matchLabels: {}, matchExpressions: [] }).matches({ a: "b" })).toBe(true);
  expect(selectorMatcher(undefined).matches({ nothing: "" })).toBe(false);
  expect(labelMatcher(selectorMatcher(undefined).text)).toMatchObject({
    text: selectorMatcher(undefined).text,
    requirements: selectorMatcher(undefined).requirements,
  });
});

test.each<[string, LabelSelectorRequirement]>([
  [
    "expected at least one value with operator In in label selector matchExpressions[0].values, got 0",
    { key: "a", operator: "In" },
  ],
  [
    "expected no values with operator Exists in label selector matchExpressions[0].values, got 1",
    { key: "a", operator: "Exists", values: ["b"] },
  ],
  [
    'expected In, NotIn, Exists, DoesNotExist in label selector matchExpressions[0].operator, got "Near"',
    { key: "a", operator: "Near" as "In" },
  ],
  [
    'expected a letter, digit, "-", "_" or "." in a label key at character 2 in label selector matchExpressions[0].key, got " "',
    { key: "a b", operator: "Exists" },
  ],
  [
    'expected a letter or digit at the start and end of a label value at character 1 in label selector matchExpressions[0].values[1], got "-"',
    { key: "a", operator: "In", values: ["x", "-y"] },
  ],
])("%s", (message, requirement) => {
  expect(() => selectorMatcher({ matchExpressions: [requirement] })).toThrow(message);
});

test("an invalid pair is refused with its path", () => {
  expect(() => selectorMatcher({ matchLabels: { "a/b/c": "" } })).toThrow(
    'in label selector matchLabels["a/b/c"]',
  );
});
