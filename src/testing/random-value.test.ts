import { expect, test } from "vitest";
import { seededRng } from "../base/index.ts";
import { compileSchema, listErrors, type StructuralSchema, validate } from "../schema/index.ts";
import { randomMatch } from "./random-pattern.ts";
import { randomValue } from "./random-value.ts";
import { smallerValues } from "./smaller-values.ts";

test.each([
  "^[a-z]([-a-z0-9]*[a-z0-9])?$",
  "^(0|([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+)$",
  "^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$",
  "^\\d{4}-\\d{2}-\\d{2}$",
  "^(?:[^:/@]+:)?\\w{2,}(?P<tag>\\.x)$",
  "^[\\w\\-.\\]]{3}\\x{41}\\u0042$",
  "a|b|",
  "^https?:\\/\\/.+?\\s\\S$",
])("random strings match %s", (pattern) => {
  const rng = seededRng(1);
  const native = new RegExp(pattern.replaceAll("\\x{41}", "A").replaceAll("(?P<", "(?<"));
  const made = Array.from({ length: 100 }, () => randomMatch(pattern, rng));
  expect(made.filter((text) => !native.test(text))).toEqual([]);
  expect(new Set(made).size).toBeGreaterThan(2);
});

test.each<[string, StructuralSchema]>([
  ["a string with limits", { type: "string", minLength: 3, maxLength: 5 }],
  ["an enum", { type: "string", enum: ["a", "b"] }],
  ["a nullable integer", { type: "integer", nullable: true, minimum: 5, maximum: 7 }],
  ["a multiple", { type: "integer", multipleOf: 5, minimum: 10, maximum: 40 }],
  [
    "a number between limits",
    { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: false },
  ],
  ["an integer or string", { "x-kubernetes-int-or-string": true }],
  ["a list with limits", { type: "array", items: { type: "boolean" }, minItems: 1, maxItems: 2 }],
  ["a set", { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" }],
  ["a map", { type: "object", additionalProperties: { type: "integer" }, minProperties: 1 }],
  ["an address", { type: "string", format: "ipv4" }],
  ["a date", { type: "string", format: "date" }],
  ["a time", { type: "string", format: "date-time" }],
  ["bytes", { type: "string", format: "byte" }],
  ["a hardware address", { type: "string", format: "mac" }],
  ["an id", { type: "string", format: "uuid" }],
  ["alternatives", { type: "string", anyOf: [{ enum: ["none"] }, { pattern: "^a+$" }] }],
  [
    "an object with alternatives",
    {
      type: "object",
      properties: { by: { type: "string", enum: ["a", "b"] }, a: { type: "string" }, b: { type: "integer" } },
      oneOf: [
        { properties: { by: { enum: ["a"] } }, required: ["by", "a"] },
        { properties: { by: { enum: ["b"] } }, required: ["by", "b"] },
      ],
    },
  ],
])("random values of %s are valid", (_, schema) => {
  const compiled = compileSchema(schema);
  const options = { rng: seededRng(1), path: "", values: {} };
  const made = Array.from({ length: 200 }, () => randomValue(schema, options));
  const isInvalid = (value: unknown) =>
    [...validate(value, compiled), ...listErrors(value, compiled)].length > 0;
  expect(made.filter(isInvalid)).toEqual([]);
  expect(new Set(made.map((value) => JSON.stringify(value))).size).toBeGreaterThan(1);
});

test.each([
  [true, [false]],
  [10, [0, 1, 5, 9]],
  [1.5, [0, 1, 1]],
  ["abc", ["", "a", "ab", "ab"]],
  [
    [1, "b"],
    [[], ["b"], [1], [0, "b"], [1, ""], [1, "a"]],
  ],
  [{ a: 1, b: true }, [{}, { b: true }, { a: 1 }, { a: 0, b: true }, { a: 1, b: false }]],
  [null, []],
])("%j has smaller values", (value, smaller) => {
  expect([...smallerValues(value)]).toEqual(smaller);
});
