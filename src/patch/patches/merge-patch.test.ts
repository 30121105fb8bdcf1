import { deepStrictEqual } from "node:assert";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isObject, type JsonObject } from "../../schema/index.ts";
import { jsonObject, jsonValue } from "../values/json-value.fixture.ts";
import { mergePatchCases } from "./merge-patch.fixture.ts";
import { applyMergePatch } from "./merge-patch.ts";
import { frozen, nested, outcomeOf } from "./patch-case.fixture.ts";

for (const { title, document, patch, outcome } of mergePatchCases) {
  test(title, () => {
    const given = frozen({ document, patch });
    deepStrictEqual(
      outcomeOf(() => applyMergePatch(given.document, given.patch)),
      outcome,
    );
  });
}

const wrongType = (word: string) =>
  `error decoding patch: json: cannot unmarshal ${word} into Go value of type map[string]interface {}`;

test.each([
  [null, "Invalid JSON Patch"],
  [[], wrongType("array")],
  ["x", wrongType("string")],
  [1, wrongType("number")],
  [false, wrongType("bool")],
])("%j is not a merge patch", (patch, message) => {
  expect(outcomeOf(() => applyMergePatch({}, patch))).toEqual({ failure: "malformed", message });
});

test.each([
  [null, { failure: "malformed", message: "Invalid JSON Patch" }],
  [1, { failure: "malformed", message: "Invalid JSON Patch" }],
  [[{ a: null }, null], { result: [{}, null] }],
])("%j is read differently if fields are not validated", (patch, outcome) => {
  expect(outcomeOf(() => applyMergePatch({ a: 1 }, patch, { fieldValidation: "Ignore" }))).toEqual(outcome);
});

test("patches ten thousand levels deep are merged into existing and missing objects", () => {
  const document = { there: nested(10_000), kept: 1 };
  const patch = { there: nested(9_999, { b: null, c: 2 }), missing: nested(10_000, { gone: null }) };
  const merged = applyMergePatch(document, patch) as { there: unknown; missing: unknown; kept: number };
  expect(innermost(merged.there)).toEqual({ a: 1, c: 2 });
  expect(innermost(merged.missing)).toEqual({});
  expect(merged.kept).toBe(1);
});

/** Returns the innermost object along `a`. */
function innermost(value: unknown): unknown {
  let inner = value;
  while (isObject(inner) && isObject(inner.a)) inner = inner.a;
  return inner;
}

test("an empty patch changes nothing", () => {
  fc.assert(fc.property(jsonObject, (document) => deepStrictEqual(applyMergePatch(document, {}), document)));
});

test("a patch is merged as in RFC 7396, except for nulls in lists", () => {
  fc.assert(
    fc.property(jsonObject, jsonObject.filter(hasNoNullInLists), (document, patch) => {
      deepStrictEqual(applyMergePatch(frozen(document), frozen(patch)), mergedByRfc(document, patch));
    }),
  );
});

test("applying a patch again changes nothing", () => {
  fc.assert(
    fc.property(jsonObject, jsonObject.filter(hasNoNullInLists), (document, patch) => {
      const once = applyMergePatch(document, patch) as JsonObject;
      deepStrictEqual(applyMergePatch(once, patch), once);
    }),
  );
});

test("a document without nulls, applied as a patch to nothing, is unchanged", () => {
  fc.assert(
    fc.property(jsonObject.filter(hasNoNull), (document) => {
      deepStrictEqual(applyMergePatch({}, document), document);
    }),
  );
});

test("a field that a patch does not name stays unchanged", () => {
  fc.assert(
    fc.property(jsonObject, jsonObject, jsonValue, (document, patch, value) => {
      const merged = applyMergePatch({ ...document, other: value }, patch);
      expect(merged).toMatchObject({ other: value });
    }),
  );
});

/** The algorithm of section 2 of the RFC. */
function mergedByRfc(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name);
    else result.set(name, mergedByRfc(result.get(name), value));
  }
  return Object.fromEntries(result);
}

function hasNoNull(value: unknown): boolean {
  return value !== null && (typeof value !== "object" || Object.values(value).every(hasNoNull));
}

function hasNoNullInLists(value: unknown): boolean {
  if (Array.isArray(value)) return hasNoNull(value);
  return typeof value !== "object" || value === null || Object.values(value).every(hasNoNullInLists);
}
