import { expect, test } from "vitest";
import { fieldRefusals, refusals } from "./structural-errors.fixture.ts";

test("a default is a valid value", () => {
  expect(fieldRefusals({ type: "integer", default: "x" })).toEqual([
    'typeInvalid @.default: Invalid value: "string":  in body must be of type integer: "string"',
  ]);
  expect(fieldRefusals({ type: "integer", default: 11, maximum: 10 })).toEqual([
    "invalid @.default: Invalid value: 11:  in body should be less than or equal to 10",
  ]);
  expect(fieldRefusals({ type: "string", enum: ["a"], default: "b" })).toEqual([
    'notSupported @.default: Unsupported value: "b": supported values: "a"',
  ]);
  expect(fieldRefusals({ type: "string", format: "date", default: "x" })).toEqual([
    'typeInvalid @.default: Invalid value: "x":  in body must be of type date: "x"',
  ]);
  expect(
    fieldRefusals({
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      required: ["b"],
      default: { a: "x" },
    }),
  ).toEqual(["required @.default.b: Required value"]);
});

test("what is wrong inside a default is told with its path", () => {
  expect(
    fieldRefusals({
      type: "object",
      properties: { a: { type: "array", items: { type: "integer" } } },
      default: { a: [1, "x"] },
    }),
  ).toEqual([
    'typeInvalid @.default.a[1]: Invalid value: "string": a[1] in body must be of type integer: "string"',
  ]);
  expect(fieldRefusals({ type: "array", items: { type: "integer" }, default: [1, "x"] })).toEqual([
    'typeInvalid @.default.[1]: Invalid value: "string": [1] in body must be of type integer: "string"',
  ]);
  expect(
    fieldRefusals({ type: "object", additionalProperties: { type: "integer" }, default: { k: "x" } }),
  ).toEqual([
    'typeInvalid @.default.k: Invalid value: "string": .k in body must be of type integer: "string"',
  ]);
  expect(
    fieldRefusals({
      type: "array",
      items: { type: "object", properties: { a: { type: "integer", default: "x" } } },
    }),
  ).toEqual([
    'typeInvalid @.items.properties[a].default: Invalid value: "string":  in body must be of type integer: "string"',
  ]);
});

test("a default has no unknown fields", () => {
  expect(
    fieldRefusals({ type: "object", properties: { a: { type: "string" } }, default: { a: "x", b: 1 } }),
  ).toEqual(['invalid @.default: Invalid value: {"a":"x","b":1}: must not have unknown fields']);
});

test("null is no default", () => {
  expect(fieldRefusals({ type: "string", default: null })).toEqual([]);
  expect(fieldRefusals({ type: "string", nullable: true, default: null })).toEqual([]);
});

test("defaults of the values of maps are not looked at", () => {
  expect(
    fieldRefusals({
      type: "object",
      additionalProperties: { type: "object", properties: { a: { type: "integer", default: "x" } } },
    }),
  ).toEqual([]);
  expect(fieldRefusals({ type: "object", additionalProperties: { type: "string", default: "x" } })).toEqual(
    [],
  );
});

test("a default is checked by the types that are written down", () => {
  expect(fieldRefusals({ "x-kubernetes-int-or-string": true, default: true })).toEqual([]);
  expect(
    fieldRefusals({
      "x-kubernetes-int-or-string": true,
      anyOf: [{ type: "integer" }, { type: "string" }],
      default: true,
    }),
  ).toEqual([
    'invalid @.default: Invalid value: "": "" must validate at least one schema (anyOf)',
    'typeInvalid @.default: Invalid value: "boolean":  in body must be of type integer: "boolean"',
  ]);
});

test("a default that is a resource names itself", () => {
  expect(
    fieldRefusals({
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
      default: { apiVersion: "v1", kind: "Pod", metadata: { foo: 1 } },
    }),
  ).toEqual([]);
  expect(
    fieldRefusals({
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
      default: {},
    }),
  ).toEqual(["required @.default.apiVersion: Required value", "required @.default.kind: Required value"]);
  expect(
    fieldRefusals({
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
      default: { apiVersion: "v1", kind: "Pod", metadata: { labels: { a: 1 } } },
    }),
  ).toEqual([
    'invalid @.default.metadata: Invalid value: {"labels":{"a":1}}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
  ]);
  expect(
    refusals({ type: "object", properties: { spec: { type: "object" } }, default: { spec: {} } }),
  ).toEqual(["required @.default.apiVersion: Required value", "required @.default.kind: Required value"]);
});

test("a default inside metadata makes valid metadata", () => {
  expect(
    fieldRefusals({
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
    fieldRefusals({
      type: "array",
      items: { type: "string" },
      "x-kubernetes-list-type": "set",
      default: ["a", "a"],
    }),
  ).toEqual([]);
});
