import { expect, test } from "vitest";
import { errorsOfField, errorsOfSchema } from "./structural-errors.fixture.ts";

test("fields of a restriction at the root must be declared", () => {
  expect(
    errorsOfSchema({
      type: "object",
      properties: { spec: { type: "string" } },
      anyOf: [{ properties: { b: { minLength: 1 } } }, { required: ["b"] }],
    }),
  ).toEqual(["required @.properties[b]: Required value: because it is defined in @.anyOf[0].properties[b]"]);
  expect(
    errorsOfSchema({
      type: "object",
      properties: { spec: { type: "string" } },
      allOf: [{ properties: { spec: { items: { minLength: 1 } } } }],
    }),
  ).toEqual([
    "required @.properties[spec].items: Required value: because it is defined in @.allOf[0].properties[spec].items",
  ]);
  expect(
    errorsOfSchema({
      type: "object",
      properties: { spec: { type: "object", properties: { a: { type: "string" } } } },
      not: { properties: { spec: { properties: { c: {}, a: {} } } } },
    }),
  ).toEqual([
    "required @.properties[spec].properties[c]: Required value: because it is defined in @.not.properties[spec].properties[c]",
  ]);
  expect(
    errorsOfSchema({
      type: "object",
      properties: { spec: { type: "object", properties: { a: { type: "string" } } } },
      oneOf: [{ allOf: [{ properties: { spec: { properties: { z: {} } } } }] }],
    }),
  ).toEqual([
    "required @.properties[spec].properties[z]: Required value: because it is defined in @.oneOf[0].allOf[0].properties[spec].properties[z]",
  ]);
  expect(
    errorsOfSchema({
      type: "object",
      properties: { spec: { type: "object", additionalProperties: { type: "string" } } },
      anyOf: [{ properties: { spec: { properties: { b: { minLength: 1 } } } } }],
    }),
  ).toEqual([
    "required @.properties[spec].properties[b]: Required value: because it is defined in @.anyOf[0].properties[spec].properties[b]",
  ]);
  expect(
    errorsOfSchema({
      type: "object",
      properties: { spec: { type: "object", properties: { a: { type: "string" } } } },
      anyOf: [{ properties: { spec: { properties: { a: { minLength: 2 } } } } }],
    }),
  ).toEqual([]);
});

test("fields of a restriction below the root need not be declared", () => {
  expect(
    errorsOfField({
      type: "object",
      properties: { a: { type: "string" } },
      anyOf: [{ properties: { b: { minLength: 1 } } }, { required: ["b"] }],
    }),
  ).toEqual([]);
  expect(
    errorsOfField({
      type: "object",
      properties: { a: { type: "string" } },
      anyOf: [{ properties: { a: { items: { minLength: 1 } } } }],
    }),
  ).toEqual([]);
  expect(
    errorsOfField({
      type: "object",
      properties: { a: { type: "array", items: { type: "object", properties: { b: { type: "string" } } } } },
      not: { properties: { a: { items: { properties: { c: {} } } } } },
    }),
  ).toEqual([]);
  expect(
    errorsOfField({
      type: "object",
      additionalProperties: { type: "string" },
      allOf: [{ properties: { b: { minLength: 1 } } }],
    }),
  ).toEqual([]);
});
