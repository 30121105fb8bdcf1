import { expect, test } from "vitest";
import type { JsonObject } from "../schema/index.ts";
import { keepTimes } from "./keep-times.ts";

test("a write that changes nothing but times is no write", () => {
  const live = object("1", ["a", "2026-01-01T00:00:00Z"], ["b", "2026-01-01T00:00:01Z"]);
  const next = object("1", ["a", "2026-01-01T00:00:00Z"], ["b", "2026-01-01T00:00:09Z"]);
  expect(keepTimes(live, next)).toBe(live);
});

test("a manager without time that is given one is no write either", () => {
  const live = object("1", ["a", undefined]);
  const next = object("1", ["a", "2026-01-01T00:00:00Z"]);
  expect(keepTimes(live, next)).toBe(live);
});

test("a manager that moves to another place is a write, and so is any other change", () => {
  const live = object("1", ["a", "2026-01-01T00:00:00Z"], ["b", "2026-01-01T00:00:01Z"]);
  const moved = object("1", ["b", "2026-01-01T00:00:01Z"], ["a", "2026-01-01T00:00:09Z"]);
  const changed = object("2", ["a", "2026-01-01T00:00:00Z"], ["b", "2026-01-01T00:00:09Z"]);
  expect(keepTimes(live, moved)).toBe(moved);
  expect(keepTimes(live, changed)).toBe(changed);
});

function object(text: string, ...managers: readonly (readonly [string, string | undefined])[]): JsonObject {
  const managedFields = managers.map(([manager, time]) => ({ manager, ...(time && { time }), fieldsV1: {} }));
  return { metadata: { name: "a", managedFields }, spec: { text } };
}
