import { expect, test } from "vitest";
import { errorsOfField, errorsOfSchema } from "./structural-errors.fixture.ts";

test("the root must have the type object", () => {
  expect(errorsOfSchema({})).toEqual(["required @.type: Required value: must not be empty at the root"]);
  expect(errorsOfSchema({ type: "string" })).toEqual([
    'invalid @.type: Invalid value: "string": must be object at the root',
  ]);
  expect(errorsOfSchema({ type: "array", items: { type: "string" } })).toEqual([
    'invalid @.type: Invalid value: "array": must be object at the root',
  ]);
  expect(errorsOfSchema({ "x-kubernetes-preserve-unknown-fields": true })).toEqual([]);
});

test("the root must not have additionalProperties or be nullable", () => {
  expect(errorsOfSchema({ type: "object", additionalProperties: { type: "string" } })).toEqual([
    "forbidden @.additionalProperties: Forbidden: must not be used at the root",
  ]);
  expect(errorsOfSchema({ type: "object", additionalProperties: true })).toEqual([
    "forbidden @.additionalProperties: Forbidden: must not be used at the root",
  ]);
  expect(errorsOfSchema({ type: "object", nullable: true })).toEqual([
    "forbidden @.nullable: Forbidden: nullable cannot be true at the root",
  ]);
});

test("every field, list element and map value needs a type", () => {
  expect(errorsOfField({})).toEqual([
    "required @.type: Required value: must not be empty for specified object fields",
  ]);
  expect(errorsOfField({ properties: { a: { type: "string" } } })).toEqual([
    "required @.type: Required value: must not be empty for specified object fields",
  ]);
  expect(errorsOfField({ type: "array", items: {} })).toEqual([
    "required @.items.type: Required value: must not be empty for specified array items",
  ]);
  expect(errorsOfField({ type: "object", additionalProperties: {} })).toEqual([
    "required @.additionalProperties.type: Required value: must not be empty for specified object fields",
  ]);
  expect(errorsOfField({ anyOf: [{ type: "integer" }, { type: "string" }] })).toEqual([
    "required @.type: Required value: must not be empty for specified object fields",
  ]);
});

test("a list needs a schema of its items", () => {
  expect(errorsOfField({ type: "array" })).toEqual(["required @.items: Required value: must be specified"]);
});

test("an int-or-string must not preserve unknown fields or embed a resource, and may have a type", () => {
  expect(
    errorsOfField({ "x-kubernetes-int-or-string": true, "x-kubernetes-preserve-unknown-fields": true }),
  ).toEqual([
    "invalid @.x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true",
  ]);
  expect(
    errorsOfField({ "x-kubernetes-int-or-string": true, "x-kubernetes-embedded-resource": true }),
  ).toEqual([
    "required @.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
    "required @.type: Required value: must be object if x-kubernetes-embedded-resource is true",
    "invalid @.x-kubernetes-embedded-resource: Invalid value: true: must be false if x-kubernetes-int-or-string is true",
  ]);
  expect(errorsOfField({ type: "string", "x-kubernetes-int-or-string": true })).toEqual([]);
});

test("an embedded resource must be an object and not empty", () => {
  expect(
    errorsOfField({ "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true }),
  ).toEqual(["required @.type: Required value: must be object if x-kubernetes-embedded-resource is true"]);
  expect(errorsOfField({ type: "string", "x-kubernetes-embedded-resource": true })).toEqual([
    "required @.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
    'invalid @.type: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true',
  ]);
  expect(errorsOfField({ type: "object", "x-kubernetes-embedded-resource": true })).toEqual([
    "required @.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
  ]);
  expect(
    errorsOfField({
      type: "object",
      "x-kubernetes-embedded-resource": true,
      additionalProperties: { type: "string" },
    }),
  ).toEqual([
    "forbidden @.additionalProperties: Forbidden: must not be used if x-kubernetes-embedded-resource is set",
    "required @.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
  ]);
});

test("apiVersion, kind and metadata must have their fixed types", () => {
  expect(
    errorsOfSchema({
      type: "object",
      properties: {
        kind: { type: "integer" },
        apiVersion: { type: "boolean" },
        metadata: { type: "array", items: { type: "string" } },
      },
    }),
  ).toEqual([
    'invalid @.properties[apiVersion].type: Invalid value: "boolean": must be string',
    'invalid @.properties[kind].type: Invalid value: "integer": must be string',
    'invalid @.properties[metadata].type: Invalid value: "array": must be object',
    "forbidden @.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified",
  ]);
  expect(errorsOfSchema({ type: "object", properties: { kind: {}, metadata: {} } })).toEqual([
    'invalid @.properties[kind].type: Invalid value: "": must be string',
    "required @.properties[kind].type: Required value: must not be empty for specified object fields",
    'invalid @.properties[metadata].type: Invalid value: "": must be object',
    "required @.properties[metadata].type: Required value: must not be empty for specified object fields",
  ]);
  expect(
    errorsOfField({
      type: "object",
      "x-kubernetes-embedded-resource": true,
      properties: {
        kind: { type: "integer" },
        apiVersion: { type: "integer" },
        metadata: { type: "string" },
      },
    }),
  ).toEqual([
    'invalid @.properties[apiVersion].type: Invalid value: "integer": must be string',
    'invalid @.properties[kind].type: Invalid value: "integer": must be string',
    'invalid @.properties[metadata].type: Invalid value: "string": must be object',
  ]);
});

test("metadata at the root may only specify name and generateName", () => {
  expect(
    errorsOfSchema({
      type: "object",
      properties: { metadata: { type: "object", properties: { name: { type: "string", maxLength: 10 } } } },
    }),
  ).toEqual([]);
  expect(
    errorsOfSchema({
      type: "object",
      properties: {
        metadata: {
          type: "object",
          properties: { name: { type: "string" }, generateName: { type: "string" } },
        },
      },
    }),
  ).toEqual([]);
  expect(
    errorsOfSchema({
      type: "object",
      properties: {
        metadata: {
          type: "object",
          properties: { labels: { type: "object", additionalProperties: { type: "string" } } },
        },
      },
    }),
  ).toEqual([
    "forbidden @.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified",
  ]);
  expect(
    errorsOfSchema({ type: "object", properties: { metadata: { type: "object", required: ["name"] } } }),
  ).toEqual([
    "forbidden @.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified",
  ]);
  expect(
    errorsOfSchema({ type: "object", properties: { metadata: { type: "object", description: "x" } } }),
  ).toEqual([
    "forbidden @.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified",
  ]);
  expect(
    errorsOfSchema({
      type: "object",
      properties: { metadata: { type: "object", "x-kubernetes-embedded-resource": true } },
    }),
  ).toEqual([
    "required @.properties[metadata].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
    "forbidden @.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified",
    "forbidden @.properties[metadata].x-kubernetes-embedded-resource: Forbidden: must not be used inside of resource meta",
  ]);
});

test("errors of a schema are sorted by their texts", () => {
  expect(
    errorsOfSchema({
      type: "object",
      properties: { spec: { properties: { a: {}, b: { type: "array" } }, nullable: true, pattern: "(" } },
    }),
  ).toEqual([
    'invalid @.properties[spec].pattern: Invalid value: "(": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ): `(`',
    "required @.properties[spec].properties[a].type: Required value: must not be empty for specified object fields",
    "required @.properties[spec].properties[b].items: Required value: must be specified",
    "required @.properties[spec].type: Required value: must not be empty for specified object fields",
  ]);
});
