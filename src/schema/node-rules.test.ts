import { expect, test } from "vitest";
import { fieldRefusals, refusals } from "./structural-errors.fixture.ts";

test("a root is an object, and says so", () => {
  expect(refusals({})).toEqual(["required @.type: Required value: must not be empty at the root"]);
  expect(refusals({ type: "string" })).toEqual([
    'invalid @.type: Invalid value: "string": must be object at the root',
  ]);
  expect(refusals({ type: "array", items: { type: "string" } })).toEqual([
    'invalid @.type: Invalid value: "array": must be object at the root',
  ]);
  expect(refusals({ "x-kubernetes-preserve-unknown-fields": true })).toEqual([]);
});

test("a root is no map, and never null", () => {
  expect(refusals({ type: "object", additionalProperties: { type: "string" } })).toEqual([
    "forbidden @.additionalProperties: Forbidden: must not be used at the root",
  ]);
  expect(refusals({ type: "object", additionalProperties: true })).toEqual([
    "forbidden @.additionalProperties: Forbidden: must not be used at the root",
  ]);
  expect(refusals({ type: "object", nullable: true })).toEqual([
    "forbidden @.nullable: Forbidden: nullable cannot be true at the root",
  ]);
});

test("every field, element and value of a map has a type", () => {
  expect(fieldRefusals({})).toEqual([
    "required @.type: Required value: must not be empty for specified object fields",
  ]);
  expect(fieldRefusals({ properties: { a: { type: "string" } } })).toEqual([
    "required @.type: Required value: must not be empty for specified object fields",
  ]);
  expect(fieldRefusals({ type: "array", items: {} })).toEqual([
    "required @.items.type: Required value: must not be empty for specified array items",
  ]);
  expect(fieldRefusals({ type: "object", additionalProperties: {} })).toEqual([
    "required @.additionalProperties.type: Required value: must not be empty for specified object fields",
  ]);
  expect(fieldRefusals({ anyOf: [{ type: "integer" }, { type: "string" }] })).toEqual([
    "required @.type: Required value: must not be empty for specified object fields",
  ]);
});

test("a list says what its elements are", () => {
  expect(fieldRefusals({ type: "array" })).toEqual(["required @.items: Required value: must be specified"]);
});

test("an integer or string neither preserves nor embeds, and may have a type", () => {
  expect(
    fieldRefusals({ "x-kubernetes-int-or-string": true, "x-kubernetes-preserve-unknown-fields": true }),
  ).toEqual([
    "invalid @.x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true",
  ]);
  expect(
    fieldRefusals({ "x-kubernetes-int-or-string": true, "x-kubernetes-embedded-resource": true }),
  ).toEqual([
    "required @.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
    "required @.type: Required value: must be object if x-kubernetes-embedded-resource is true",
    "invalid @.x-kubernetes-embedded-resource: Invalid value: true: must be false if x-kubernetes-int-or-string is true",
  ]);
  expect(fieldRefusals({ type: "string", "x-kubernetes-int-or-string": true })).toEqual([]);
});

test("an embedded resource is an object with something in it", () => {
  expect(
    fieldRefusals({ "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true }),
  ).toEqual(["required @.type: Required value: must be object if x-kubernetes-embedded-resource is true"]);
  expect(fieldRefusals({ type: "string", "x-kubernetes-embedded-resource": true })).toEqual([
    "required @.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
    'invalid @.type: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true',
  ]);
  expect(fieldRefusals({ type: "object", "x-kubernetes-embedded-resource": true })).toEqual([
    "required @.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
  ]);
  expect(
    fieldRefusals({
      type: "object",
      "x-kubernetes-embedded-resource": true,
      additionalProperties: { type: "string" },
    }),
  ).toEqual([
    "forbidden @.additionalProperties: Forbidden: must not be used if x-kubernetes-embedded-resource is set",
    "required @.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
  ]);
});

test("what every resource has, has the type it always has", () => {
  expect(
    refusals({
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
  expect(refusals({ type: "object", properties: { kind: {}, metadata: {} } })).toEqual([
    'invalid @.properties[kind].type: Invalid value: "": must be string',
    "required @.properties[kind].type: Required value: must not be empty for specified object fields",
    'invalid @.properties[metadata].type: Invalid value: "": must be object',
    "required @.properties[metadata].type: Required value: must not be empty for specified object fields",
  ]);
  expect(
    fieldRefusals({
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

test("of metadata at the root only names are restricted", () => {
  expect(
    refusals({
      type: "object",
      properties: { metadata: { type: "object", properties: { name: { type: "string", maxLength: 10 } } } },
    }),
  ).toEqual([]);
  expect(
    refusals({
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
    refusals({
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
    refusals({ type: "object", properties: { metadata: { type: "object", required: ["name"] } } }),
  ).toEqual([
    "forbidden @.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified",
  ]);
  expect(
    refusals({ type: "object", properties: { metadata: { type: "object", description: "x" } } }),
  ).toEqual([
    "forbidden @.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified",
  ]);
  expect(
    refusals({
      type: "object",
      properties: { metadata: { type: "object", "x-kubernetes-embedded-resource": true } },
    }),
  ).toEqual([
    "required @.properties[metadata].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
    "forbidden @.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified",
    "forbidden @.properties[metadata].x-kubernetes-embedded-resource: Forbidden: must not be used inside of resource meta",
  ]);
});

test("errors of one schema are told in the order of their texts", () => {
  expect(
    refusals({
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
