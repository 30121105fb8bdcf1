import { expect, test } from "vitest";
import { errorsOfField } from "./structural-errors.fixture.ts";

test("a restriction must not have a type", () => {
  expect(
    errorsOfField({
      type: "object",
      properties: { a: { type: "string" } },
      allOf: [{ type: "object" }, { properties: { a: { type: "string" } } }],
    }),
  ).toEqual([
    "forbidden @.allOf[0].type: Forbidden: must be empty to be structural",
    "forbidden @.allOf[1].properties[a].type: Forbidden: must be empty to be structural",
  ]);
  expect(
    errorsOfField({ "x-kubernetes-int-or-string": true, anyOf: [{ type: "string" }, { type: "integer" }] }),
  ).toEqual([
    "forbidden @.anyOf[0].type: Forbidden: must be empty to be structural",
    "forbidden @.anyOf[1].type: Forbidden: must be empty to be structural",
  ]);
});

test("an int-or-string may have types in anyOf, in this order only", () => {
  expect(
    errorsOfField({ "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] }),
  ).toEqual([]);
  expect(
    errorsOfField({
      "x-kubernetes-int-or-string": true,
      allOf: [{ anyOf: [{ type: "integer" }, { type: "string" }] }, { minimum: 3 }],
    }),
  ).toEqual([]);
  expect(errorsOfField({ type: "string", anyOf: [{ type: "integer" }, { type: "string" }] })).toEqual([]);
});

test("a restriction may only have keywords about values", () => {
  expect(
    errorsOfField({
      type: "object",
      properties: { a: { type: "string" } },
      anyOf: [{ properties: { a: { default: "x" } } }],
    }),
  ).toEqual(["forbidden @.anyOf[0].properties[a].default: Forbidden: must be undefined to be structural"]);
  expect(
    errorsOfField({ type: "string", oneOf: [{ title: "x", description: "y", nullable: true }] }),
  ).toEqual([
    "forbidden @.oneOf[0].description: Forbidden: must be empty to be structural",
    "forbidden @.oneOf[0].nullable: Forbidden: must be false to be structural",
    "forbidden @.oneOf[0].title: Forbidden: must be empty to be structural",
  ]);
  expect(
    errorsOfField({ type: "object", allOf: [{ "x-kubernetes-validations": [{ rule: "true" }] }] }),
  ).toEqual(["forbidden @.allOf[0].x-kubernetes-validations: Forbidden: must be empty to be structural"]);
  expect(
    errorsOfField({
      type: "object",
      allOf: [
        {
          "x-kubernetes-preserve-unknown-fields": true,
          "x-kubernetes-embedded-resource": true,
          "x-kubernetes-int-or-string": true,
          "x-kubernetes-list-type": "set",
          "x-kubernetes-list-map-keys": ["a"],
          "x-kubernetes-map-type": "atomic",
        },
      ],
    }),
  ).toEqual([
    "forbidden @.allOf[0].x-kubernetes-embedded-resource: Forbidden: must be false to be structural",
    "forbidden @.allOf[0].x-kubernetes-int-or-string: Forbidden: must be false to be structural",
    "forbidden @.allOf[0].x-kubernetes-list-map-keys: Forbidden: must be empty to be structural",
    "forbidden @.allOf[0].x-kubernetes-list-type: Forbidden: must be undefined to be structural",
    "forbidden @.allOf[0].x-kubernetes-map-type: Forbidden: must be undefined to be structural",
    "forbidden @.allOf[0].x-kubernetes-preserve-unknown-fields: Forbidden: must be false to be structural",
    "required @.allOf[0].type: Required value: must be object if x-kubernetes-map-type is specified",
    "required @.allOf[0].type: Required value: must be array if x-kubernetes-list-type is specified",
    'invalid @.allOf[0].x-kubernetes-list-type: Invalid value: "set": must be map if x-kubernetes-list-map-keys is non-empty',
  ]);
});

test("a restriction must not have additionalProperties", () => {
  expect(
    errorsOfField({
      type: "object",
      additionalProperties: { type: "string" },
      not: { additionalProperties: { minLength: 1 } },
    }),
  ).toEqual(["forbidden @.not.additionalProperties: Forbidden: must be undefined to be structural"]);
  expect(
    errorsOfField({
      type: "object",
      additionalProperties: { type: "string" },
      not: { additionalProperties: true },
    }),
  ).toEqual(["forbidden @.not.additionalProperties: Forbidden: must be undefined to be structural"]);
  expect(
    errorsOfField({
      type: "object",
      additionalProperties: { type: "string" },
      not: { additionalProperties: false },
    }),
  ).toEqual([]);
});

test("a restriction must not specify metadata", () => {
  expect(
    errorsOfField({
      type: "object",
      properties: { metadata: { type: "object" } },
      allOf: [{ properties: { metadata: {} } }],
    }),
  ).toEqual([
    "forbidden @.allOf[0].properties[metadata]: Forbidden: must not be specified in a nested context",
  ]);
});

test("a pattern must be a regular expression of Go", () => {
  expect(errorsOfField({ type: "string", pattern: "^a(" })).toEqual([
    'invalid @.pattern: Invalid value: "^a(": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ): `^a(`',
  ]);
  expect(errorsOfField({ type: "string", allOf: [{ pattern: "[b-a]" }] })).toEqual([
    'invalid @.allOf[0].pattern: Invalid value: "[b-a]": must be a valid regular expression, but isn\'t: error parsing regexp: invalid character class range: `b-a`',
  ]);
});
