import { expect, test } from "vitest";
import { errorsOfField, errorsOfSchema } from "./structural-errors.fixture.ts";

test("a type must be one of six", () => {
  expect(errorsOfField({ type: "foo" })).toEqual([
    'notSupported @.type: Unsupported value: "foo": supported values: "array", "boolean", "integer", "number", "object", "string"',
  ]);
  expect(errorsOfField({ type: "null" })).toEqual([
    'notSupported @.type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string"',
    "forbidden @.type: Forbidden: type cannot be set to null, use nullable as an alternative",
  ]);
});

test("JSON Schema keywords that OpenAPI does not have are refused", () => {
  expect(errorsOfField({ type: "array", items: [{ type: "string" }] })).toEqual([
    "forbidden @.items: Forbidden: items must be a schema object and not an array",
  ]);
  expect(errorsOfField({ type: "string", $ref: "#/x" })).toEqual([
    "forbidden @.$ref: Forbidden: $ref is not supported",
  ]);
  expect(errorsOfField({ $ref: "#/x" })).toEqual(["forbidden @.$ref: Forbidden: $ref is not supported"]);
  expect(errorsOfField({ type: "string", id: "x" })).toEqual([
    "forbidden @.id: Forbidden: id is not supported",
  ]);
  expect(errorsOfField({ type: "string", $schema: "x" })).toEqual([
    "invalid @: Invalid value: \"\": OpenAPIV3Schema 'schema' is not supported",
  ]);
  expect(errorsOfSchema({ type: "object", definitions: { a: { type: "string" } } })).toEqual([
    "forbidden @.definitions: Forbidden: definitions is not supported",
  ]);
  expect(errorsOfSchema({ type: "object", dependencies: { a: ["b"] } })).toEqual([
    "forbidden @.dependencies: Forbidden: dependencies is not supported",
  ]);
  expect(errorsOfSchema({ type: "object", dependencies: { a: {} } })).toEqual([
    "forbidden @.dependencies: Forbidden: dependencies is not supported",
  ]);
  expect(errorsOfSchema({ type: "object", dependencies: {} })).toEqual([
    "forbidden @.dependencies: Forbidden: dependencies is not supported",
  ]);
  expect(errorsOfSchema({ type: "object", patternProperties: { a: { type: "string" } } })).toEqual([
    "forbidden @.patternProperties: Forbidden: patternProperties is not supported",
  ]);
  expect(errorsOfField({ type: "array", items: { type: "string" }, additionalItems: true })).toEqual([
    "forbidden @.additionalItems: Forbidden: additionalItems is not supported",
  ]);
  expect(
    errorsOfField({ type: "array", items: { type: "string" }, additionalItems: { type: "string" } }),
  ).toEqual(["forbidden @.additionalItems: Forbidden: additionalItems is not supported"]);
});

test("empty definitions are accepted", () => {
  expect(errorsOfSchema({ type: "object", definitions: {} })).toEqual([]);
});

test("uniqueItems is refused", () => {
  expect(errorsOfField({ type: "array", items: { type: "string" }, uniqueItems: true })).toEqual([
    "forbidden @.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
  ]);
  expect(errorsOfField({ type: "array", items: { type: "string" }, uniqueItems: false })).toEqual([]);
});

test("an object has properties or additionalProperties, not both", () => {
  expect(
    errorsOfField({
      type: "object",
      properties: { a: { type: "string" } },
      additionalProperties: { type: "string" },
    }),
  ).toEqual([
    "forbidden @.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive",
  ]);
  expect(
    errorsOfField({ type: "object", properties: { a: { type: "string" } }, additionalProperties: true }),
  ).toEqual([]);
  expect(
    errorsOfField({ type: "object", properties: { a: { type: "string" } }, additionalProperties: false }),
  ).toEqual([
    "forbidden @.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive",
  ]);
});

test("x-kubernetes-preserve-unknown-fields is true or absent", () => {
  expect(errorsOfField({ type: "object", "x-kubernetes-preserve-unknown-fields": false })).toEqual([
    "invalid @.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined",
  ]);
});

test("apiVersion, kind and metadata at the root have no defaults", () => {
  expect(
    errorsOfSchema({ type: "object", properties: { metadata: { type: "object", default: {} } } }),
  ).toEqual(["forbidden @.properties[metadata].default: Forbidden: must not be set in top-level metadata"]);
  expect(errorsOfSchema({ type: "object", properties: { kind: { type: "string", default: "x" } } })).toEqual([
    "forbidden @.properties[kind].default: Forbidden: must not be set in top-level kind",
  ]);
});

test("contradictory bounds are accepted", () => {
  expect(errorsOfField({ type: "string", minLength: -1, maxLength: -2 })).toEqual([]);
  expect(errorsOfField({ type: "string", enum: [] })).toEqual([]);
  expect(errorsOfField({ type: "integer", multipleOf: 0 })).toEqual([]);
  expect(errorsOfField({ type: "object", properties: { a: { type: "string" } }, required: ["b"] })).toEqual(
    [],
  );
  expect(errorsOfField({ type: "string", format: "foo" })).toEqual([]);
});
