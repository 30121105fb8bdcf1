import { equal, fieldOf, isArray, isObject, type JsonObject } from "../schema/index.ts";
import { managedFieldsOf, withoutManagedFields } from "./managed-object.ts";

/**
 * The live object where the next differs from it in nothing but the times of its managers, the next one otherwise.
 * A write that changes nothing else is no write; one that moves a manager to another place is.
 *
 * To be called last, with both objects as they would be stored.
 */
export function keepTimes(live: JsonObject, next: JsonObject): JsonObject {
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
