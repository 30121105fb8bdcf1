import { expect, test } from "vitest";
import { errorsOfField, errorsOfSchema } from "./structural-errors.fixture.ts";

test("a default must be a valid value", () => {
  expect(errorsOfField({ type: "integer", default: "x" })).toEqual([
    'typeInvalid @.default: Invalid value: "string":  in body must be of type integer: "string"',
  ]);
  expect(errorsOfField({ type: "integer", default: 11, maximum: 10 })).toEqual([
    "invalid @.default: Invalid value: 11:  in body should be less than or equal to 10",
  ]);
  expect(errorsOfField({ type: "string", enum: ["a"], default: "b" })).toEqual([
    'notSupported @.default: Unsupported value: "b": supported values: "a"',
  ]);
  expect(errorsOfField({ type: "string", format: "date", default: "x" })).toEqual([
    'typeInvalid @.default: Invalid value: "x":  in body must be of type date: "x"',
  ]);
  expect(
    errorsOfField({
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      required: ["b"],
      default: { a: "x" },
    }),
  ).toEqual(["required @.default.b: Required value"]);
});

test("an error inside a default is reported with its path", () => {
  expect(
    errorsOfField({
      type: "object",
      properties: { a: { type: "array", items: { type: "integer" } } },
      default: { a: [1, "x"] },
    }),
  ).toEqual([
    'typeInvalid @.default.a[1]: Invalid value: "string": a[1] in body must be of type integer: "string"',
  ]);
  expect(errorsOfField({ type: "array", items: { type: "integer" }, default: [1, "x"] })).toEqual([
    'typeInvalid @.default.[1]: Invalid value: "string": [1] in body must be of type integer: "string"',
  ]);
  expect(
    errorsOfField({ type: "object", additionalProperties: { type: "integer" }, default: { k: "x" } }),
  ).toEqual([
    'typeInvalid @.default.k: Invalid value: "string": .k in body must be of type integer: "string"',
  ]);
  expect(
    errorsOfField({
      type: "array",
      items: { type: "object", properties: { a: { type: "integer", default: "x" } } },
    }),
  ).toEqual([
    'typeInvalid @.items.properties[a].default: Invalid value: "string":  in body must be of type integer: "string"',
  ]);
});

test("a default must not have unknown fields", () => {
  expect(
    errorsOfField({ type: "object", properties: { a: { type: "string" } }, default: { a: "x", b: 1 } }),
  ).toEqual(['invalid @.default: Invalid value: {"a":"x","b":1}: must not have unknown fields']);
});

test("null is not a default", () => {
  expect(errorsOfField({ type: "string", default: null })).toEqual([]);
  expect(errorsOfField({ type: "string", nullable: true, default: null })).toEqual([]);
});

test("defaults of map values are not validated", () => {
  expect(
    errorsOfField({
      type: "object",
      additionalProperties: { type: "object", properties: { a: { type: "integer", default: "x" } } },
    }),
  ).toEqual([]);
  expect(errorsOfField({ type: "object", additionalProperties: { type: "string", default: "x" } })).toEqual(
    [],
  );
});

test("a default is validated by the declared types", () => {
  expect(errorsOfField({ "x-kubernetes-int-or-string": true, default: true })).toEqual([]);
  expect(
    errorsOfField({
      "x-kubernetes-int-or-string": true,
      anyOf: [{ type: "integer" }, { type: "string" }],
      default: true,
    }),
  ).toEqual([
    'invalid @.default: Invalid value: "": "" must validate at least one schema (anyOf)',
    'typeInvalid @.default: Invalid value: "boolean":  in body must be of type integer: "boolean"',
  ]);
});

test("a default of an embedded resource needs apiVersion and kind", () => {
  expect(
    errorsOfField({
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
      default: { apiVersion: "v1", kind: "Pod", metadata: { foo: 1 } },
    }),
  ).toEqual([]);
  expect(
    errorsOfField({
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
      default: {},
    }),
  ).toEqual(["required @.default.apiVersion: Required value", "required @.default.kind: Required value"]);
  expect(
    errorsOfField({
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
      default: { apiVersion: "v1", kind: "Pod", metadata: { labels: { a: 1 } } },
    }),
  ).toEqual([
    'invalid @.default.metadata: Invalid value: {"labels":{"a":1}}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
  ]);
  expect(
    errorsOfSchema({ type: "object", properties: { spec: { type: "object" } }, default: { spec: {} } }),
  ).toEqual(["required @.default.apiVersion: Required value", "required @.default.kind: Required value"]);
});

test("a default inside metadata must result in valid metadata", () => {
  expect(
    errorsOfField({
      type: "object",
      "x-kubernetes-embedded-resource": true,
      properties: {
        metadata: {
          type: "object",
          properties: {
            name: { type: "string", default: "-x/y" },
            labels: { type: "object", additionalProperties: { type: "string", default: "x" } },
          },
        },
        kind: { type: "string", default: "x" },
      },
    }),
  ).toEqual([
    'invalid @.properties[metadata].properties[name].default: Invalid value: "-x/y": must result in valid metadata: metadata.name: Invalid value: "-x/y": may not contain \'/\'',
    "forbidden @.properties[metadata].properties[labels].additionalProperties.default: Forbidden: must not be set inside additionalProperties applying to object metadata",
  ]);
});

test("a default may repeat elements of a set", () => {
  expect(
    errorsOfField({
      type: "array",
      items: { type: "string" },
      "x-kubernetes-list-type": "set",
      default: ["a", "a"],
    }),
  ).toEqual([]);
});
