import { expect, test } from "vitest";
import { z } from "zod";
import type { StructuralSchema } from "../schema/index.ts";
import { fieldSchema, problemsOf } from "./declared.fixture.ts";
import type { Problem } from "./place.ts";

test.each<[string, z.ZodType, StructuralSchema]>([
  ["a string", z.string(), { type: "string" }],
  ["a string with length limits", z.string().min(1).max(9), { type: "string", minLength: 1, maxLength: 9 }],
  ["a pattern", z.string().regex(/^\d+\/x$/), { type: "string", pattern: "^\\d+\\/x$" }],
  ["an escaped character", z.string().regex(/\u00e9/), { type: "string", pattern: "\\x{00e9}" }],
  [
    "several patterns",
    z.string().regex(/a/).regex(/b/),
    { type: "string", pattern: "a", allOf: [{ pattern: "b" }] },
  ],
  ["a format that the server checks", z.url(), { type: "string", format: "uri" }],
  [
    "a format instead of a pattern that the server cannot run",
    z.hostname(),
    { type: "string", format: "hostname" },
  ],
  ["a format that the server does not check", z.jwt(), { type: "string" }],
  [
    "a format that the server does not check, with a pattern",
    z.hex(),
    { type: "string", pattern: "^[0-9a-fA-F]*$" },
  ],
  ["a number", z.number(), { type: "number" }],
  [
    "a number with bounds",
    z.number().gt(1).lte(5).multipleOf(0.5),
    { type: "number", minimum: 1, exclusiveMinimum: true, maximum: 5, multipleOf: 0.5 },
  ],
  [
    "a number with an exclusive bound",
    z.number().min(1).lt(5),
    { type: "number", minimum: 1, maximum: 5, exclusiveMaximum: true },
  ],
  ["an integer", z.int().min(0).max(9), { type: "integer", minimum: 0, maximum: 9 }],
  [
    "an integer without bounds gets those of exact integers in JavaScript",
    z.int(),
    { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  ],
  ["a boolean", z.boolean(), { type: "boolean" }],
  ["an enum of strings", z.enum(["a", "b"]), { type: "string", enum: ["a", "b"] }],
  ["a literal string", z.literal("a"), { type: "string", enum: ["a"] }],
  ["literal numbers", z.literal([1, 2]), { type: "number", enum: [1, 2] }],
  [
    "a union of literal strings",
    z.union([z.literal("a"), z.literal("b")]),
    { type: "string", enum: ["a", "b"] },
  ],
  [
    "a union of one type",
    z.union([z.string().max(1), z.literal("all")]),
    { type: "string", anyOf: [{ maxLength: 1 }, { enum: ["all"] }] },
  ],
  [
    "a union with an alternative that contains the others",
    z.union([z.string(), z.literal("all")]),
    { type: "string" },
  ],
  [
    "an integer or string",
    z.union([z.int().min(0).max(9), z.string().regex(/%$/)]),
    { "x-kubernetes-int-or-string": true, minimum: 0, maximum: 9, pattern: "%$" },
  ],
  ["a nullable string", z.string().nullable(), { type: "string", nullable: true }],
  [
    "a nullable enum",
    z.enum(["a", "b"]).nullable(),
    { type: "string", nullable: true, allOf: [{ enum: ["a", "b"] }] },
  ],
  [
    "a nullable integer or string",
    z.union([z.int32(), z.string(), z.null()]),
    { "x-kubernetes-int-or-string": true, minimum: -(2 ** 31), maximum: 2 ** 31 - 1, nullable: true },
  ],
  [
    "a list",
    z.array(z.string()).min(1).max(3),
    { type: "array", items: { type: "string" }, minItems: 1, maxItems: 3 },
  ],
  ["a map", z.record(z.string(), z.boolean()), { type: "object", additionalProperties: { type: "boolean" } }],
  [
    "a map of any values",
    z.record(z.string(), z.unknown()),
    { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  ],
  [
    "a map with an enum of keys",
    z.partialRecord(z.enum(["a", "b"]), z.boolean()),
    { type: "object", properties: { a: { type: "boolean" }, b: { type: "boolean" } } },
  ],
  ["any value", z.unknown(), { "x-kubernetes-preserve-unknown-fields": true }],
  [
    "an object that keeps unknown fields",
    z.looseObject({ a: z.boolean() }),
    {
      type: "object",
      properties: { a: { type: "boolean" } },
      required: ["a"],
      "x-kubernetes-preserve-unknown-fields": true,
    },
  ],
  [
    "an object with optional and defaulted fields",
    z.object({ a: z.boolean(), b: z.boolean().optional(), c: z.boolean().default(true) }),
    {
      type: "object",
      properties: { a: { type: "boolean" }, b: { type: "boolean" }, c: { type: "boolean", default: true } },
      required: ["a"],
    },
  ],
  [
    "an object with defaults inside",
    z.object({ a: z.boolean().default(true) }).prefault({}),
    { type: "object", properties: { a: { type: "boolean", default: true } }, default: {} },
  ],
  [
    "an intersection of objects",
    z.intersection(z.object({ a: z.boolean() }), z.object({ b: z.boolean() })),
    { type: "object", properties: { a: { type: "boolean" }, b: { type: "boolean" } }, required: ["a", "b"] },
  ],
  [
    "a discriminated union of objects",
    z.discriminatedUnion("by", [
      z.object({ by: z.literal("name"), name: z.string().min(1), strict: z.boolean().default(true) }),
      z.object({ by: z.literal("port"), port: z.int32().min(1), strict: z.boolean().default(true) }),
    ]),
    {
      type: "object",
      properties: {
        by: { type: "string", enum: ["name", "port"] },
        name: { type: "string", minLength: 1 },
        port: { type: "integer", minimum: 1, maximum: 2 ** 31 - 1 },
        strict: { type: "boolean", default: true },
      },
      required: ["by"],
      oneOf: [
        { properties: { by: { enum: ["name"] } }, required: ["by", "name"] },
        { properties: { by: { enum: ["port"] } }, required: ["by", "port"] },
      ],
    },
  ],
  [
    "annotations",
    z.string().meta({ title: "T", description: "D", deprecated: true, examples: ["e"] }),
    { type: "string", title: "T", description: "D" },
  ],
  [
    "annotations inside of a nullable schema",
    z.string().describe("inside").nullable(),
    { type: "string", nullable: true, description: "inside" },
  ],
  [
    "Kubernetes extensions",
    z.array(z.string()).meta({ "x-kubernetes-list-type": "set" }),
    { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
  ],
])("%s", (_, field, expected) => {
  expect(fieldSchema(field)).toEqual(expected);
});

test("a shared schema is copied to both fields, each with its own description", () => {
  const port = z.object({ number: z.int32().min(1) }).meta({ id: "port", description: "a port" });
  const one: StructuralSchema = {
    type: "object",
    description: "a port",
    properties: { number: { type: "integer", minimum: 1, maximum: 2 ** 31 - 1 } },
    required: ["number"],
  };
  expect(fieldSchema(z.object({ from: port, to: port.describe("the other") }))).toEqual({
    type: "object",
    properties: { from: one, to: { ...one, description: "the other" } },
    required: ["from", "to"],
  });
});

const tree = z.object({
  get branches() {
    return z.array(tree).optional();
  },
});

test.each<[string, z.ZodType, Problem]>([
  [
    "a date",
    z.date(),
    { field: "spec.it", reason: "JSON has no date; use a string, such as z.iso.datetime()" },
  ],
  [
    "a map",
    z.map(z.string(), z.string()),
    {
      field: "spec.it",
      reason: "JSON has no map; use an object, such as z.record(z.string(), …)",
    },
  ],
  [
    "a type that JSON does not have, in a list",
    z.array(z.bigint()),
    { field: "spec.it[*]", reason: "JSON has no bigint" },
  ],
  [
    "a field with another output type",
    z.string().pipe(z.literal("a")),
    {
      field: "spec.it",
      reason: "input and output types differ, but an API server runs no code: declare the stored type",
    },
  ],
  [
    "a field with another output type in a map of lists",
    z.record(z.string(), z.array(z.string().pipe(z.literal("a")))),
    {
      field: "spec.it[*][*]",
      reason: "input and output types differ, but an API server runs no code: declare the stored type",
    },
  ],
  [
    "a union of types",
    z.union([z.boolean(), z.string()]),
    {
      field: "spec.it",
      reason: "expected one type, or an integer or string, got boolean or string",
    },
  ],
  [
    "a number or string",
    z.union([z.number(), z.string()]),
    {
      field: "spec.it",
      reason: "expected one type, or an integer or string, got number or string",
    },
  ],
  [
    "an enum of several types",
    z.literal(["a", true]),
    {
      field: "spec.it",
      reason: "expected one type, or an integer or string, got boolean or string",
    },
  ],
  [
    "a field with different types in a union of objects",
    z.union([z.object({ a: z.string() }), z.object({ a: z.boolean() })]),
    {
      field: "spec.it.a",
      reason: "the schemas of this field in the alternatives may differ only in the values they allow",
    },
  ],
  [
    "a default in one object of a union",
    z.union([z.object({ a: z.string() }), z.object({ b: z.string().default("x") })]),
    { field: "spec.it.b", reason: "an API server would set the default in the other alternatives too" },
  ],
  [
    "a union of an object and a map",
    z.union([z.object({ a: z.string() }), z.record(z.string(), z.string())]),
    {
      field: "spec.it",
      reason: "every alternative that is an object must declare its fields",
    },
  ],
  [
    "a union of lists",
    z.union([z.array(z.string()), z.array(z.boolean())]),
    {
      field: "spec.it",
      reason: "expected one type, or an integer or string, got several of type array",
    },
  ],
  [
    "an intersection of an object and a map",
    z.intersection(z.looseObject({ a: z.string().min(1) }), z.record(z.string(), z.string())),
    {
      field: "spec.it",
      reason: "a structural schema has either properties or additionalProperties, not both",
    },
  ],
  [
    "a tuple",
    z.tuple([z.string()]),
    { field: "spec.it", reason: "expected one schema for all elements of a list, got a tuple" },
  ],
  [
    "properties and additional properties",
    z.object({ a: z.string() }).catchall(z.string()),
    {
      field: "spec.it",
      reason: "a structural schema has either properties or additionalProperties, not both",
    },
  ],
  [
    "a map with a key pattern",
    z.record(z.string().regex(/^a/), z.string()),
    { field: "spec.it", reason: "an API server cannot validate the keys of a map" },
  ],
  [
    "a recursive schema",
    tree,
    {
      field: "spec.it.branches[*]",
      reason: "the schema is recursive, which a structural schema cannot be",
    },
  ],
  ["a schema that allows no value", z.never(), { field: "spec.it", reason: "the schema allows no value" }],
  ["a schema that allows only null", z.null(), { field: "spec.it", reason: "the schema allows only null" }],
  [
    "a default of null",
    z.string().nullable().default(null),
    {
      field: "spec.it",
      reason: "a default of null has no effect: remove it, the field is then absent",
    },
  ],
  [
    "a default that the server would refuse",
    z.string().min(3).default("x"),
    { field: "spec.it.default", reason: 'Invalid value: "x":  in body should be at least 3 chars long' },
  ],
  [
    "a pattern that only JavaScript supports",
    z.string().regex(/^(?!a)/),
    {
      field: "spec.it",
      reason:
        "an API server cannot run the pattern ^(?!a): error parsing regexp: invalid or unsupported Perl syntax: `(?!`",
    },
  ],
  [
    "an optional key of a map list",
    z.array(z.object({ name: z.string().optional() })).meta({
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
    }),
    {
      field: "spec.it[*].name.default",
      reason:
        "Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
    },
  ],
])("%s is refused with its path and the reason", (_, field, problem) => {
  expect(problemsOf(field)).toEqual([problem]);
});
