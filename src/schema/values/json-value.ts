/** A JSON object. Every key is data, including `__proto__` and `constructor`: see `fieldOf`. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Returns the object's own value of the key, and nothing from the prototype. */
export function fieldOf(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own field of an object under construction. A plain assignment to `__proto__` would set the prototype. */
export function setField(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Returns a copy with changed fields. A change to `undefined` removes the field. New fields come last. */
export function withChanges(object: JsonObject, changes: ReadonlyMap<string, unknown>): JsonObject {
  const copy: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(object), ...changes.keys()])) {
    const value = changes.has(key) ? changes.get(key) : object[key];
    if (value !== undefined) setField(copy, key, value);
  }
  return copy;
}

/** Returns a deep copy. */
export function copyOf(value: unknown): unknown {
  if (isArray(value)) return value.map(copyOf);
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) setField(copy, key, copyOf(value[key]));
  return copy;
}

/** The JSON types. As in Go, a number that fits an int64 is an integer. */
export type JsonType = "null" | "boolean" | "integer" | "number" | "string" | "array" | "object";

export function typeOf(value: unknown): JsonType {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "number" || typeof value === "bigint") return isInt64(value) ? "integer" : "number";
  if (value === null || value === undefined) return "null";
  return isArray(value) ? "array" : "object";
}

const int64Limit = 2 ** 63;

function isInt64(value: number | bigint): boolean {
  if (typeof value === "bigint") return BigInt.asIntN(64, value) === value;
  return Number.isInteger(value) && value >= -int64Limit && value < int64Limit;
}

/**
 * Returns true if a number is a safe integer, or so little above one that the difference may be a rounding error
 * (relative difference below 1e-9).
 */
export function isNextToInteger(value: unknown): boolean {
  if (typeof value !== "number" || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.trunc(value);
  return value === whole || (whole > 0 && (value - whole) / (value + whole) < 1e-9);
}
