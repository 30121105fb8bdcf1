import { expect, test } from "vitest";
import { z } from "zod";
import { fieldSchema, problemsOf } from "./declared.fixture.ts";
import { immutable, listMap, type Problem, rule } from "./index.ts";

const sizes = { type: "object", properties: { min: { type: "integer" }, max: { type: "integer" } } } as const;
const range = z.custom<{ min?: number; max?: number }>().meta(sizes);
const ordered = { rule: "self.min <= self.max", message: "must not exceed max", fieldPath: ".min" } as const;
const frozen = { rule: "self == oldSelf", message: "field is immutable" };

test("rules of several calls add up, in order", () => {
  const { rule: expression, ...options } = ordered;
  const field = range
    .meta({ "x-kubernetes-validations": [{ rule: "true" }] })
    .meta(rule(expression, options))
    .meta(immutable())
    .meta({ ...rule("self.max < 9", { reason: "FieldValueForbidden" }), description: "a range" });
  expect(fieldSchema(field)).toEqual({
    ...sizes,
    description: "a range",
    "x-kubernetes-validations": [
      { rule: "true" },
      ordered,
      frozen,
      { rule: "self.max < 9", reason: "FieldValueForbidden" },
    ],
  });
});

test.each([
  ["a string", z.string().meta(immutable()), { type: "string" }],
  ["an optional string", z.string().meta(immutable()).optional(), { type: "string" }],
  ["a nullable string", z.string().meta(immutable()).nullable(), { type: "string", nullable: true }],
  ["a string with a default", z.string().meta(immutable()).default("a"), { type: "string", default: "a" }],
  [
    "a string with two patterns",
    z.string().regex(/a/).regex(/b/).meta(immutable()),
    { type: "string", pattern: "a", allOf: [{ pattern: "b" }] },
  ],
  [
    "an integer or string",
    z.union([z.int32().min(0), z.string()]).meta(immutable()),
    { "x-kubernetes-int-or-string": true, minimum: 0, maximum: 2 ** 31 - 1 },
  ],
  ["any value", z.unknown().meta(immutable()), { "x-kubernetes-preserve-unknown-fields": true }],
  [
    "an element of a list with keys",
    z.array(z.object({ name: z.string() }).meta(immutable())).meta(listMap("name")),
    undefined,
  ],
])("a rule of %s is kept", (_, field, schema) => {
  const found = fieldSchema(field);
  expect(schema ? found : found?.items?.["x-kubernetes-validations"]).toEqual(
    schema ? { ...schema, "x-kubernetes-validations": [frozen] } : [frozen],
  );
});

test("rules of intersected schemas add up", () => {
  const [one, other] = [{ rule: "self.a" }, { rule: "self.b" }];
  const field = z.intersection(
    z.object({ a: z.boolean() }).meta(rule(one.rule)),
    z.object({ b: z.boolean() }).meta(rule(other.rule)),
  );
  expect(fieldSchema(field)?.["x-kubernetes-validations"]).toEqual([one, other]);
});

test.each<[string, z.ZodType, Problem]>([
  [
    "a rule of one alternative",
    z.union([z.object({ a: z.string() }).meta(rule("true")), z.object({ b: z.string() })]),
    {
      field: "spec.it",
      reason: "an API server cannot validate one alternative of a union by a rule: add the rule to the union",
    },
  ],
  [
    "oldSelf in a list without keys",
    z.record(z.string(), z.array(z.object({ size: z.int32().meta(immutable()) }))),
    {
      field: "spec.it[*][*].size",
      reason:
        'the rule "self == oldSelf" uses oldSelf inside the list spec.it[*], whose elements have no identity: ' +
        "add listMap() with their key fields to the list, or the rule to a field outside of it",
    },
  ],
  [
    "optionalOldSelf without oldSelf",
    z.string().meta(rule("self != 'oldSelf'", { optionalOldSelf: true })),
    {
      field: "spec.it",
      reason: "the rule \"self != 'oldSelf'\" has optionalOldSelf and does not use oldSelf",
    },
  ],
  [
    "an unknown field path",
    range.meta(rule("true", { fieldPath: ".size" })),
    {
      field: "spec.it.x-kubernetes-validations[0].fieldPath",
      reason: 'Invalid value: ".size": must be a valid path',
    },
  ],
  [
    "a rule of several lines without a message",
    z.string().meta(rule("true ||\nfalse")),
    {
      field: "spec.it.x-kubernetes-validations[0].message",
      reason: "Required value: message must be specified if rule contains line breaks",
    },
  ],
])("%s is refused", (_, field, problem) => {
  expect(problemsOf(field)).toEqual([problem]);
});
