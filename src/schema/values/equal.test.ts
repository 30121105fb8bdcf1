import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonValues } from "../schema.fixture.ts";
import { equal } from "./equal.ts";

test("values are equal if their JSON is, in any order of keys", () => {
  fc.assert(
    fc.property(jsonValues(), jsonValues(), (one, other) => {
      expect(equal(one, structuredClone(one))).toBe(true);
      expect(equal(one, other)).toBe(sorted(one) === sorted(other));
    }),
  );
});

function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, field]) => `${key}:${sorted(field)}`)
    .sort()
    .join()}}`;
}

test("a number equals only the bigint of the same value", () => {
  expect(equal(2 ** 53, 2n ** 53n)).toBe(true);
  expect(equal([2n ** 53n], [2 ** 53])).toBe(true);
  expect(equal(2 ** 53, 2n ** 53n + 1n)).toBe(false);
  expect(equal(1.5, 1n)).toBe(false);
});

test("properties of the prototype are not fields", () => {
  expect(equal({ toString: 1 }, { valueOf: 1 })).toBe(false);
  expect(equal(JSON.parse('{"__proto__":1}'), {})).toBe(false);
});

test("values may be nested to any depth", () => {
  const nested = (innermost: unknown): unknown => {
    let value = innermost;
    for (let depth = 0; depth < 100_000; depth++) value = { a: [value] };
    return value;
  };
  expect(equal(nested(1), nested(1))).toBe(true);
  expect(equal(nested(1), nested(2))).toBe(false);
});
