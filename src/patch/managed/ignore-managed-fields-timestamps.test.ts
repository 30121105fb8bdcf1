import { expect, test } from "vitest";
import type { JsonObject } from "../../schema/index.ts";
import { ignoreManagedFieldsTimestamps } from "./ignore-managed-fields-timestamps.ts";

test("a write that changes only timestamps is not stored", () => {
  const live = object("1", ["a", "2026-01-01T00:00:00Z"], ["b", "2026-01-01T00:00:01Z"]);
  const next = object("1", ["a", "2026-01-01T00:00:00Z"], ["b", "2026-01-01T00:00:09Z"]);
  expect(ignoreManagedFieldsTimestamps(live, next)).toBe(live);
});

test("a write that only adds the time of a manager is not stored", () => {
  const live = object("1", ["a", undefined]);
  const next = object("1", ["a", "2026-01-01T00:00:00Z"]);
  expect(ignoreManagedFieldsTimestamps(live, next)).toBe(live);
});

test("a write that reorders managers is stored, and so is any other change", () => {
  const live = object("1", ["a", "2026-01-01T00:00:00Z"], ["b", "2026-01-01T00:00:01Z"]);
  const moved = object("1", ["b", "2026-01-01T00:00:01Z"], ["a", "2026-01-01T00:00:09Z"]);
  const changed = object("2", ["a", "2026-01-01T00:00:00Z"], ["b", "2026-01-01T00:00:09Z"]);
  expect(ignoreManagedFieldsTimestamps(live, moved)).toBe(moved);
  expect(ignoreManagedFieldsTimestamps(live, changed)).toBe(changed);
});

function object(text: string, ...managers: readonly (readonly [string, string | undefined])[]): JsonObject {
  const managedFields = managers.map(([manager, time]) => ({ manager, ...(time && { time }), fieldsV1: {} }));
  return { metadata: { name: "a", managedFields }, spec: { text } };
}
