import { expect, test } from "vitest";
import { type Condition, conditionOf, isTrue, withCondition } from "./condition.ts";
import type { DeploymentCondition } from "./types/apps/v1.ts";

const before = "2026-01-01T00:00:00Z";
const now = "2026-01-02T00:00:00Z";
const ready: Condition = {
  type: "Ready",
  status: "True",
  reason: "Up",
  message: "",
  lastTransitionTime: before,
};
const stalled: Condition = {
  type: "Stalled",
  status: "False",
  reason: "Fine",
  message: "",
  lastTransitionTime: before,
};

test("a condition of a new type is appended with the current time", () => {
  const { lastTransitionTime: _, ...next } = stalled;
  expect(withCondition([ready], next, now)).toEqual([ready, { ...stalled, lastTransitionTime: now }]);
  expect(withCondition(undefined, next, now)).toEqual([{ ...stalled, lastTransitionTime: now }]);
});

test("a condition with the same status keeps its time, and the other fields are replaced in place", () => {
  const next = {
    type: "Ready",
    status: "True",
    reason: "Still",
    message: "all good",
    observedGeneration: 2,
  } as const;
  expect(withCondition([ready, stalled], next, now)).toEqual([
    { ...next, lastTransitionTime: before },
    stalled,
  ]);
});

test("a changed status updates the time", () => {
  const next = { type: "Ready", status: "Unknown", reason: "Lost", message: "" } as const;
  expect(withCondition([stalled, ready], next, now)).toEqual([stalled, { ...next, lastTransitionTime: now }]);
});

test("a condition without a time gets one", () => {
  const old: DeploymentCondition = { type: "Available", status: "True" };
  expect(withCondition([old], { type: "Available", status: "True" }, now)).toEqual([
    { ...old, lastTransitionTime: now },
  ]);
});

test("the input is not modified", () => {
  const list = Object.freeze([Object.freeze({ ...ready })]);
  withCondition(list, { type: "Ready", status: "False", reason: "Down", message: "" }, now);
  expect(list).toEqual([ready]);
});

test("a condition is found by its type, and is true only with status True", () => {
  const unknown: Condition = { ...ready, type: "Synced", status: "Unknown" };
  const list = [ready, stalled, unknown];
  expect(conditionOf(list, "Stalled")).toBe(stalled);
  expect(conditionOf(undefined, "Ready")).toBeUndefined();
  expect(["Ready", "Stalled", "Synced", "Absent"].map((type) => isTrue(list, type))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
