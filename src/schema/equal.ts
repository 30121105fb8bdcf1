import { isArray, isObject, type JsonObject } from "./json-value.ts";

/** Whether two JSON values are the same, whatever the order of their keys. Goes as deep as they do. */
export function equal(one: unknown, other: unknown): boolean {
  const pending: unknown[] = [one, other];
  while (pending.length > 0) {
    const right = pending.pop();
    const left = pending.pop();
    if (left !== right && !equalOutside(left, right, pending)) return false;
  }
  return true;
}

/** Whether they may be equal; what has to be equal inside them is pushed, in pairs, what comes first last. */
function equalOutside(left: unknown, right: unknown, pending: unknown[]): boolean {
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

/** A number too big to be exact may stand as a `bigint` in one value and be rounded in the other: those differ. */
function sameNumber(one: unknown, other: unknown): boolean {
  if (typeof one === "number" && typeof other === "bigint") return sameNumber(other, one);
  if (typeof one !== "bigint" || typeof other !== "number") return false;
  return Number.isInteger(other) && BigInt(other) === one;
}
