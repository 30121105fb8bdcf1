/** Basic arbitraries for the scripts. */
import fc, { type Arbitrary } from "fast-check";
import type { Json, JsonObject } from "./script.ts";

/** Often absent. `fields` then omits it. */
export function maybe<T>(value: Arbitrary<T>): Arbitrary<T | undefined> {
  return option(value, { nil: undefined, freq: 2 });
}

/** Returns a value once in `freq` times, and `nil` otherwise. It shrinks to `nil`. */
export function option<T, N>(
  value: Arbitrary<T>,
  { nil, freq }: { readonly nil: N; readonly freq: number },
): Arbitrary<T | N> {
  const choices: fc.MaybeWeightedArbitrary<T | N>[] = [
    { weight: freq - 1, arbitrary: fc.constant(nil) },
    { weight: 1, arbitrary: value },
  ];
  return fc.oneof({ withCrossShrink: true }, ...choices);
}

/** Returns an object of the given fields, without absent ones. */
export function fields(shape: Readonly<Record<string, Arbitrary<unknown>>>): Arbitrary<JsonObject> {
  return fc.record(shape).map((record) => {
    const present = Object.entries(record).filter(([, value]) => value !== undefined);
    // Every arbitrary here generates JSON.
    return Object.fromEntries(present) as JsonObject;
  });
}

/** Returns a value, or sometimes one of a wrong type. */
export function mostly<T>(value: Arbitrary<T>, odd: Arbitrary<unknown> = wrong): Arbitrary<unknown> {
  return fc.oneof({ weight: 40, arbitrary: value as Arbitrary<unknown> }, { weight: 1, arbitrary: odd });
}

export function pick<const T extends readonly Json[]>(...values: T): Arbitrary<T[number]> {
  return fc.constantFrom(...values);
}

/** Returns a few entries with the given keys. */
export function entries(keys: readonly string[], value: Arbitrary<unknown>): Arbitrary<JsonObject> {
  return fields(Object.fromEntries(keys.map((key) => [key, maybe(value)])));
}

const wrong: Arbitrary<Json> = pick(null, 0, 1.5, -1, true, "", "x", "é", [], {}, [null], { a: 1 }, ["x"]);
