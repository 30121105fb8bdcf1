import { equal, fieldOf, isArray, isObject, type JsonObject } from "../../schema/index.ts";
import { managedFieldsOf, withoutManagedFields } from "./managed-object.ts";

/**
 * Returns the live object if `next` differs from it only in the timestamps of its managed fields, otherwise `next`.
 * Such a write is not stored. A write that reorders managers is stored.
 *
 * Call it last, with both objects as they would be stored.
 */
export function ignoreManagedFieldsTimestamps(live: JsonObject, next: JsonObject): JsonObject {
  const [before, after] = [managedFieldsOf(live), managedFieldsOf(next)];
  if (!equal(withoutTimes(before), withoutTimes(after))) return next;
  return equal(withoutManagedFields(live), withoutManagedFields(next)) ? live : next;
}

function withoutTimes(entries: unknown): unknown {
  return isArray(entries) ? entries.map(withoutTime) : entries;
}

function withoutTime(entry: unknown): unknown {
  if (!isObject(entry) || fieldOf(entry, "time") === undefined) return entry;
  const { time, ...rest } = entry;
  return rest;
}
