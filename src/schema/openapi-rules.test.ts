import { expect, test } from "vitest";
import { fieldRefusals, refusals } from "./structural-errors.fixture.ts";

test("a type is one of six", () => {
  expect(fieldRefusals({ type: "foo" })).toEqual([
    'notSupported @.type: Unsupported value: "foo": supported values: "array", "boolean", "integer", "number", "object", "string"',
  ]);
  expect(fieldRefusals({ type: "null" })).toEqual([
    'notSupported @.type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string"',
    "forbidden @.type: Forbidden: type cannot be set to null, use nullable as an alternative",
  ]);
});

test("what JSON Schema has beyond OpenAPI is refused", () => {
  expect(fieldRefusals({ type: "array", items: [{ type: "string" }] })).toEqual([
    "forbidden @.items: Forbidden: items must be a schema object and not an array",
  ]);
  expect(fieldRefusals({ type: "string", $ref: "#/x" })).toEqual([
    "forbidden @.$ref: Forbidden: $ref is not supported",
  ]);
  expect(fieldRefusals({ $ref: "#/x" })).toEqual(["forbidden @.$ref: Forbidden: $ref is not supported"]);
  expect(fieldRefusals({ type: "string", id: "x" })).toEqual([
    "forbidden @.id: Forbidden: id is not supported",
  ]);
  expect(fieldRefusals({ type: "string", $schema: "x" })).toEqual([
    "invalid @: Invalid value: \"\": OpenAPIV3Schema 'schema' is not supported",
  ]);
  expect(refusals({ type: "object", definitions: { a: { type: "string" } } })).toEqual([
    "forbidden @.definitions: Forbidden: definitions is not supported",
  ]);
  expect(refusals({ type: "object", dependencies: { a: ["b"] } })).toEqual([
    "forbidden @.dependencies: Forbidden: dependencies is not supported",
  ]);
  expect(refusals({ type: "object", dependencies: { a: {} } })).toEqual([
    "forbidden @.dependencies: Forbidden: dependencies is not supported",
  ]);
  expect(refusals({ type: "object", dependencies: {} })).toEqual([
    "forbidden @.dependencies: Forbidden: dependencies is not supported",
  ]);
  expect(refusals({ type: "object", patternProperties: { a: { type: "string" } } })).toEqual([
    "forbidden @.patternProperties: Forbidden: patternProperties is not supported",
  ]);
  expect(fieldRefusals({ type: "array", items: { type: "string" }, additionalItems: true })).toEqual([
    "forbidden @.additionalItems: Forbidden: additionalItems is not supported",
  ]);
  expect(
    fieldRefusals({ type: "array", items: { type: "string" }, additionalItems: { type: "string" } }),
  ).toEqual(["forbidden @.additionalItems: Forbidden: additionalItems is not supported"]);
});

test("no definitions are none", () => {
  expect(refusals({ type: "object", definitions: {} })).toEqual([]);
});

test("elements are not checked for being unique", () => {
  expect(fieldRefusals({ type: "array", items: { type: "string" }, uniqueItems: true })).toEqual([
    "forbidden @.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
  ]);
  expect(fieldRefusals({ type: "array", items: { type: "string" }, uniqueItems: false })).toEqual([]);
});

test("an object has properties, or is a map", () => {
  expect(
    fieldRefusals({
      type: "object",
      properties: { a: { type: "string" } },
      additionalProperties: { type: "string" },
    }),
  ).toEqual([
    "forbidden @.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive",
  ]);
  expect(
    fieldRefusals({ type: "object", properties: { a: { type: "string" } }, additionalProperties: true }),
  ).toEqual([]);
  expect(
    fieldRefusals({ type: "object", properties: { a: { type: "string" } }, additionalProperties: false }),
  ).toEqual([
    "forbidden @.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive",
  ]);
});

test("unknown fields are preserved or not mentioned", () => {
  expect(fieldRefusals({ type: "object", "x-kubernetes-preserve-unknown-fields": false })).toEqual([
    "invalid @.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined",
  ]);
});

test("what every resource has, has no default at the root", () => {
  expect(refusals({ type: "object", properties: { metadata: { type: "object", default: {} } } })).toEqual([
    "forbidden @.properties[metadata].default: Forbidden: must not be set in top-level metadata",
  ]);
  expect(refusals({ type: "object", properties: { kind: { type: "string", default: "x" } } })).toEqual([
    "forbidden @.properties[kind].default: Forbidden: must not be set in top-level kind",
  ]);
});

test("bounds that make no sense are taken", () => {
  expect(fieldRefusals({ type: "string", minLength: -1, maxLength: -2 })).toEqual([]);
  expect(fieldRefusals({ type: "string", enum: [] })).toEqual([]);
  expect(fieldRefusals({ type: "integer", multipleOf: 0 })).toEqual([]);
  expect(fieldRefusals({ type: "object", properties: { a: { type: "string" } }, required: ["b"] })).toEqual(
    [],
  );
  expect(fieldRefusals({ type: "string", format: "foo" })).toEqual([]);
});
