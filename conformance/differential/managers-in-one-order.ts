import { isObject } from "./memory.ts";
import type { Json, JsonObject } from "./script.ts";

/**
 * Returns a response with the managers of every object sorted. A server sorts them by time, and whether two writes fall
 * into the same second is random.
 */
export function managersInOneOrder(said: Json): Json {
  if (Array.isArray(said)) return said.map(managersInOneOrder);
  if (!isObject(said)) return said;
  const fields = Object.entries(said).map(([name, field]): [string, Json] => [
    name,
    name === "managedFields" && Array.isArray(field) ? [...field].sort(byText) : managersInOneOrder(field),
  ]);
  return Object.fromEntries(fields) satisfies JsonObject;
}

function byText(one: Json, other: Json): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}
