import { isArray, isObject, type JsonObject } from "./json-value.ts";

/** Returns true if two JSON values are equal in any key order. Does not recurse, so any depth is safe. */
export function equal(one: unknown, other: unknown): boolean {
  const pending: unknown[] = [one, other];
  while (pending.length > 0) {
    const right = pending.pop();
    const left = pending.pop();
    if (left !== right && !equalShallow(left, right, pending)) return false;
  }
  return true;
}

/** Returns true if two values may be equal, and pushes the pairs of children that must be equal, last pair first. */
function equalShallow(left: unknown, right: unknown, pending: unknown[]): boolean {
  if (isArray(left)) return isArray(right) && equalLists(left, right, pending);
  if (isObject(left)) return isObject(right) && equalObjects(left, right, pending);
  return sameNumber(left, right);
}

function equalLists(left: readonly unknown[], right: readonly unknown[], pending: unknown[]): boolean {
  if (left.length !== right.length) return false;
  for (let index = left.length - 1; index >= 0; index--) pending.push(left[index], right[index]);
  return true;
}

function equalObjects(left: JsonObject, right: JsonObject, pending: unknown[]): boolean {
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  for (let index = keys.length - 1; index >= 0; index--) {
    const key = keys[index] ?? "";
    if (!Object.hasOwn(right, key)) return false;
    pending.push(left[key], right[key]);
  }
  return true;
}

/**
 * Compares a `bigint` with a number. A number beyond the safe range may be a `bigint` in one value and rounded in the
 * other: those differ.
 */
function sameNumber(one: unknown, other: unknown): boolean {
  if (typeof one === "number" && typeof other === "bigint") return sameNumber(other, one);
  if (typeof one !== "bigint" || typeof other !== "number") return false;
  return Number.isInteger(other) && BigInt(other) === one;
}
