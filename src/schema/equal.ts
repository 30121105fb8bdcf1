import { fieldOf, isArray, isObject, type JsonObject } from "./json-value.ts";

/** Whether two JSON values are the same, whatever the order of their keys. Goes as deep as they do. */
export function equal(one: unknown, other: unknown): boolean {
  const pairs: Array<readonly [unknown, unknown]> = [[one, other]];
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const inner = innerPairs(...pair);
    if (!inner) return false;
    for (const next of inner) pairs.push(next);
  }
  return true;
}

type Pairs = Iterable<readonly [unknown, unknown]>;

/** What must be equal inside for the two to be equal, or nothing if they differ already. */
function innerPairs(one: unknown, other: unknown): Pairs | undefined {
  if (one === other) return [];
  if (isArray(one) && isArray(other)) return elementPairs(one, other);
  if (isObject(one) && isObject(other)) return fieldPairs(one, other);
  return sameNumber(one, other) ? [] : undefined;
}

function elementPairs(one: readonly unknown[], other: readonly unknown[]): Pairs | undefined {
  if (one.length !== other.length) return undefined;
  return one.map((element, index) => [element, other[index]] as const);
}

function fieldPairs(one: JsonObject, other: JsonObject): Pairs | undefined {
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return undefined;
  if (!keys.every((key) => Object.hasOwn(other, key))) return undefined;
  return keys.map((key) => [fieldOf(one, key), fieldOf(other, key)] as const);
}

/** A number too big to be exact may stand as a `bigint` in one value and be rounded in the other: those differ. */
function sameNumber(one: unknown, other: unknown): boolean {
  if (typeof one === "number" && typeof other === "bigint") return sameNumber(other, one);
  if (typeof one !== "bigint" || typeof other !== "number") return false;
  return Number.isInteger(other) && BigInt(other) === one;
}
