import { expect, test } from "vitest";
import { z } from "zod";
import type { StructuralSchema } from "../schema/index.ts";
import { fieldSchema, problemsOf } from "./declared.fixture.ts";
import type { Problem } from "./place.ts";

test.each<[string, z.ZodType, StructuralSchema]>([
  ["text", z.string(), { type: "string" }],
  ["text of a length", z.string().min(1).max(9), { type: "string", minLength: 1, maxLength: 9 }],
  ["a pattern", z.string().regex(/^\d+\/x$/), { type: "string", pattern: "^\\d+\\/x$" }],
  ["an escaped character", z.string().regex(/\u00e9/), { type: "string", pattern: "\\x{00e9}" }],
  [
    "several patterns",
    z.string().regex(/a/).regex(/b/),
    { type: "string", pattern: "a", allOf: [{ pattern: "b" }] },
  ],
  ["a format the server checks", z.url(), { type: "string", format: "uri" }],
  ["a format for a pattern it cannot run", z.hostname(), { type: "string", format: "hostname" }],
  ["a format it does not check", z.jwt(), { type: "string" }],
  ["a format it does not check, with a pattern", z.hex(), { type: "string", pattern: "^[0-9a-fA-F]*$" }],
  ["a number", z.number(), { type: "number" }],
  [
    "a number between bounds",
    z.number().gt(1).lte(5).multipleOf(0.5),
    { type: "number", minimum: 1, exclusiveMinimum: true, maximum: 5, multipleOf: 0.5 },
  ],
  [
    "a number below a bound",
    z.number().min(1).lt(5),
    { type: "number", minimum: 1, maximum: 5, exclusiveMaximum: true },
  ],
  ["a whole number", z.int().min(0).max(9), { type: "integer", minimum: 0, maximum: 9 }],
  [
    "a whole number without bounds: those within which JavaScript is exact",
    z.int(),
    { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  ],
  ["a boolean", z.boolean(), { type: "boolean" }],
  ["one of some texts", z.enum(["a", "b"]), { type: "string", enum: ["a", "b"] }],
  ["one text", z.literal("a"), { type: "string", enum: ["a"] }],
  ["one of some numbers", z.literal([1, 2]), { type: "number", enum: [1, 2] }],
  ["a union of texts", z.union([z.literal("a"), z.literal("b")]), { type: "string", enum: ["a", "b"] }],
  [
    "a union of one type",
    z.union([z.string().max(1), z.literal("all")]),
    { type: "string", anyOf: [{ maxLength: 1 }, { enum: ["all"] }] },
  ],
  ["a union that holds the others", z.union([z.string(), z.literal("all")]), { type: "string" }],
  [
    "a whole number or text",
    z.union([z.int().min(0).max(9), z.string().regex(/%$/)]),
    { "x-kubernetes-int-or-string": true, minimum: 0, maximum: 9, pattern: "%$" },
  ],
  ["text or null", z.string().nullable(), { type: "string", nullable: true }],
  [
    "one of some texts or null",
    z.enum(["a", "b"]).nullable(),
    { type: "string", nullable: true, allOf: [{ enum: ["a", "b"] }] },
  ],
  [
    "a number, text or null",
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
    "a map of anything",
    z.record(z.string(), z.unknown()),
    { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  ],
  [
    "a map of named keys",
    z.partialRecord(z.enum(["a", "b"]), z.boolean()),
    { type: "object", properties: { a: { type: "boolean" }, b: { type: "boolean" } } },
  ],
  ["anything", z.unknown(), { "x-kubernetes-preserve-unknown-fields": true }],
  [
    "an object whose unknown fields stay",
    z.looseObject({ a: z.boolean() }),
    {
      type: "object",
      properties: { a: { type: "boolean" } },
      required: ["a"],
      "x-kubernetes-preserve-unknown-fields": true,
    },
  ],
  [
    "an object whose fields may be missing, or are filled in",
    z.object({ a: z.boolean(), b: z.boolean().optional(), c: z.boolean().default(true) }),
    {
      type: "object",
      properties: { a: { type: "boolean" }, b: { type: "boolean" }, c: { type: "boolean", default: true } },
      required: ["a"],
    },
  ],
  [
    "an object that is filled in from inside",
    z.object({ a: z.boolean().default(true) }).prefault({}),
    { type: "object", properties: { a: { type: "boolean", default: true } }, default: {} },
  ],
  [
    "what is several objects at once",
    z.intersection(z.object({ a: z.boolean() }), z.object({ b: z.boolean() })),
    { type: "object", properties: { a: { type: "boolean" }, b: { type: "boolean" } }, required: ["a", "b"] },
  ],
  [
    "one of several objects, told apart by a field",
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
    "what is told to people",
    z.string().meta({ title: "T", description: "D", deprecated: true, examples: ["e"] }),
    { type: "string", title: "T", description: "D" },
  ],
  [
    "what is told inside of something nullable",
    z.string().describe("inside").nullable(),
    { type: "string", nullable: true, description: "inside" },
  ],
  [
    "Kubernetes' own words",
    z.array(z.string()).meta({ "x-kubernetes-list-type": "set" }),
    { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
  ],
])("%s", (_, field, expected) => {
  expect(fieldSchema(field)).toEqual(expected);
});

test("a schema that is used twice stands in both places, each with its own description", () => {
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
    { field: "spec.it", reason: "JSON has no date; a time is text, such as z.iso.datetime()" },
  ],
  [
    "a map",
    z.map(z.string(), z.string()),
    {
      field: "spec.it",
      reason: "JSON has no map; an object of such values is z.record(z.string(), …)",
    },
  ],
  [
    "what JSON has not, in a list",
    z.array(z.bigint()),
    { field: "spec.it[*]", reason: "JSON has no bigint" },
  ],
  [
    "a transform",
    z.string().transform(Number),
    { field: "spec.it", reason: "a transform: an API server keeps what was written and runs no code" },
  ],
  [
    "what is read as another type",
    z.string().transform(Number).pipe(z.number()),
    {
      field: "spec.it",
      reason: "it is read as something else than is written, and an API server runs no code",
    },
  ],
  [
    "what is read as another type, in a map of lists",
    z.record(z.string(), z.array(z.stringbool())),
    {
      field: "spec.it[*][*]",
      reason: "it is read as something else than is written, and an API server runs no code",
    },
  ],
  [
    "a union of types",
    z.union([z.boolean(), z.string()]),
    {
      field: "spec.it",
      reason: "a field has one type at an API server, or is a whole number or text; got boolean or string",
    },
  ],
  [
    "a number or text",
    z.union([z.number(), z.string()]),
    {
      field: "spec.it",
      reason: "a field has one type at an API server, or is a whole number or text; got number or string",
    },
  ],
  [
    "values of several types",
    z.literal(["a", true]),
    {
      field: "spec.it",
      reason: "a field has one type at an API server, or is a whole number or text; got boolean or string",
    },
  ],
  [
    "a field that is of another type in another object",
    z.union([z.object({ a: z.string() }), z.object({ a: z.boolean() })]),
    {
      field: "spec.it.a",
      reason: "its schemas in several alternatives differ in more than the values they allow",
    },
  ],
  [
    "a default in one of several objects",
    z.union([z.object({ a: z.string() }), z.object({ b: z.string().default("x") })]),
    { field: "spec.it.b", reason: "an API server would set its default in the other alternatives too" },
  ],
  [
    "an object or a map",
    z.union([z.object({ a: z.string() }), z.record(z.string(), z.string())]),
    {
      field: "spec.it",
      reason: "of alternatives that are objects each has to declare its fields at an API server",
    },
  ],
  [
    "several lists",
    z.union([z.array(z.string()), z.array(z.boolean())]),
    {
      field: "spec.it",
      reason:
        "a field has one type at an API server, or is a whole number or text; got several of type array",
    },
  ],
  [
    "an object that is a map too",
    z.intersection(z.looseObject({ a: z.string().min(1) }), z.record(z.string(), z.string())),
    {
      field: "spec.it",
      reason: "an API server has either declared fields or a schema for all others, not both",
    },
  ],
  [
    "a tuple",
    z.tuple([z.string()]),
    { field: "spec.it", reason: "the elements of a list have one schema at an API server, got a tuple" },
  ],
  [
    "fields and a schema for all others",
    z.object({ a: z.string() }).catchall(z.string()),
    {
      field: "spec.it",
      reason: "an API server has either declared fields or a schema for all others, not both",
    },
  ],
  [
    "keys with a pattern",
    z.record(z.string().regex(/^a/), z.string()),
    { field: "spec.it", reason: "an API server cannot check the keys of a map" },
  ],
  [
    "a schema without end",
    tree,
    {
      field: "spec.it.branches[*]",
      reason: "the schema contains itself, and one of an API server has to end",
    },
  ],
  ["what no value can be", z.never(), { field: "spec.it", reason: "no value may stand here" }],
  ["what only null can be", z.null(), { field: "spec.it", reason: "nothing but null may stand here" }],
  [
    "a default of null",
    z.string().nullable().default(null),
    {
      field: "spec.it",
      reason: "a default of null is none at an API server; leave it out, the field is then absent",
    },
  ],
  [
    "a default that the server would refuse",
    z.string().min(3).default("x"),
    { field: "spec.it.default", reason: 'Invalid value: "x":  in body should be at least 3 chars long' },
  ],
  [
    "a pattern of JavaScript alone",
    z.string().regex(/^(?!a)/),
    {
      field: "spec.it",
      reason:
        "an API server cannot run the pattern ^(?!a): error parsing regexp: invalid or unsupported Perl syntax: `(?!`",
    },
  ],
  [
    "a key of a list that may be missing",
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
])("%s is refused where it stands, with the reason", (_, field, problem) => {
  expect(problemsOf(field)).toEqual([problem]);
});
