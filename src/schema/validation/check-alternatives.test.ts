import { expect, test } from "vitest";
import type { StructuralSchema } from "../structure/structural-schema.ts";
import { errorsOf } from "./validate.fixture.ts";

test("anyOf accepts any valid alternative, and reports the first failing one with the highest match count", () => {
  const schema: StructuralSchema = {
    type: "object",
    properties: { a: { type: "integer" }, b: { type: "integer" } },
    anyOf: [{ required: ["a"] }, { required: ["b"] }],
  };
  expect(errorsOf({}, schema)).toEqual([
    'invalid <nil>: Invalid value: "": "spec.f" must validate at least one schema (anyOf)',
    "required spec.f.a: Required value",
  ]);
  expect(errorsOf({ a: 1 }, schema)).toEqual([]);
  expect(errorsOf({ a: 1, b: 1 }, schema)).toEqual([]);
});

test("oneOf accepts exactly one valid alternative", () => {
  const schema: StructuralSchema = {
    type: "object",
    properties: { a: { type: "integer" }, b: { type: "integer" } },
    oneOf: [{ required: ["a"] }, { required: ["b"] }],
  };
  expect(errorsOf({}, schema)).toEqual([
    'invalid <nil>: Invalid value: "": "spec.f" must validate one and only one schema (oneOf). Found none valid',
    "required spec.f.a: Required value",
  ]);
  expect(errorsOf({ a: 1 }, schema)).toEqual([]);
  expect(errorsOf({ a: 1, b: 1 }, schema)).toEqual([
    'invalid <nil>: Invalid value: "": "spec.f" must validate one and only one schema (oneOf). Found 2 valid alternatives',
  ]);
});

test("allOf requires all alternatives and reports the errors of each", () => {
  const schema: StructuralSchema = { type: "integer", allOf: [{ minimum: 2 }, { maximum: 5 }] };
  expect(errorsOf(1, schema)).toEqual([
    "invalid spec.f: Invalid value: 1: spec.f in body should be greater than or equal to 2",
    'invalid <nil>: Invalid value: "": "spec.f" must validate all the schemas (allOf)',
  ]);
  expect(errorsOf(6, schema)).toEqual([
    "invalid spec.f: Invalid value: 6: spec.f in body should be less than or equal to 5",
    'invalid <nil>: Invalid value: "": "spec.f" must validate all the schemas (allOf)',
  ]);
  expect(errorsOf(3, schema)).toEqual([]);
});

test("allOf reports if no alternative is valid", () => {
  const schema: StructuralSchema = { type: "integer", allOf: [{ minimum: 2 }, { multipleOf: 2 }] };
  expect(errorsOf(1, schema)).toEqual([
    "invalid spec.f: Invalid value: 1: spec.f in body should be greater than or equal to 2",
    "invalid spec.f: Invalid value: 1: spec.f in body should be a multiple of 2",
    'invalid <nil>: Invalid value: "": "spec.f" must validate all the schemas (allOf). None validated',
  ]);
});

test("not reports a valid alternative", () => {
  const schema: StructuralSchema = { type: "integer", not: { minimum: 5 } };
  expect(errorsOf(6, schema)).toEqual([
    'invalid <nil>: Invalid value: "": "spec.f" must not validate the schema (not)',
  ]);
  expect(errorsOf(4, schema)).toEqual([]);
});

test("not refuses a value that its enum allows", () => {
  const schema: StructuralSchema = { type: "string", not: { enum: ["a"] } };
  expect(errorsOf("a", schema)).toEqual([
    'invalid <nil>: Invalid value: "": "spec.f" must not validate the schema (not)',
  ]);
  expect(errorsOf("b", schema)).toEqual([]);
});

test("nested values add to the match count of an alternative", () => {
  const schema: StructuralSchema = {
    type: "object",
    properties: {
      k: { type: "string" },
      v: { type: "object", properties: { x: { type: "integer" }, y: { type: "string" } } },
    },
    anyOf: [
      { properties: { k: { enum: ["a"] }, v: { properties: { x: { minimum: 3 } } } } },
      { properties: { k: { enum: ["b"] }, v: { required: ["y"] } } },
    ],
  };
  expect(errorsOf({ k: "a", v: { x: 1 } }, schema)).toEqual([
    'invalid <nil>: Invalid value: "": "spec.f" must validate at least one schema (anyOf)',
    "invalid spec.f.v.x: Invalid value: 1: spec.f.v.x in body should be greater than or equal to 3",
  ]);
  expect(errorsOf({ k: "b", v: { x: 1 } }, schema)).toEqual([
    'invalid <nil>: Invalid value: "": "spec.f" must validate at least one schema (anyOf)',
    'notSupported spec.f.k: Unsupported value: "b": supported values: "a"',
    "invalid spec.f.v.x: Invalid value: 1: spec.f.v.x in body should be greater than or equal to 3",
  ]);
  expect(errorsOf({ k: "c", v: {} }, schema)).toEqual([
    'invalid <nil>: Invalid value: "": "spec.f" must validate at least one schema (anyOf)',
    'notSupported spec.f.k: Unsupported value: "c": supported values: "a"',
  ]);
});

test("oneOf reports the failing alternative with the highest match count", () => {
  const schema: StructuralSchema = {
    type: "object",
    properties: { k: { type: "string" }, x: { type: "integer" }, y: { type: "integer" } },
    oneOf: [
      { properties: { k: { enum: ["a"] } }, required: ["x"] },
      { properties: { k: { enum: ["b"] } }, required: ["y"] },
    ],
  };
  expect(errorsOf({ k: "a" }, schema)).toEqual([
    'invalid <nil>: Invalid value: "": "spec.f" must validate one and only one schema (oneOf). Found none valid',
    "required spec.f.x: Required value",
  ]);
  expect(errorsOf({ k: "b" }, schema)).toEqual([
    'invalid <nil>: Invalid value: "": "spec.f" must validate one and only one schema (oneOf). Found none valid',
    'notSupported spec.f.k: Unsupported value: "b": supported values: "a"',
    "required spec.f.x: Required value",
  ]);
  expect(errorsOf({ k: "c" }, schema)).toEqual([
    'invalid <nil>: Invalid value: "": "spec.f" must validate one and only one schema (oneOf). Found none valid',
    'notSupported spec.f.k: Unsupported value: "c": supported values: "a"',
    "required spec.f.x: Required value",
  ]);
  expect(errorsOf({ k: "a", x: 1 }, schema)).toEqual([]);
});

test("alternatives may have different types", () => {
  const schema: StructuralSchema = {
    type: "string",
    anyOf: [{ minLength: 5 }, { pattern: "^a" }, { enum: ["q"] }],
  };
  expect(errorsOf("b", schema)).toEqual([
    'invalid <nil>: Invalid value: "": "spec.f" must validate at least one schema (anyOf)',
    'invalid spec.f: Invalid value: "b": spec.f in body should be at least 5 chars long',
  ]);
  expect(errorsOf("abc", schema)).toEqual([]);
  expect(errorsOf("bbbbb", schema)).toEqual([]);
  expect(errorsOf("q", schema)).toEqual([]);
});

test("alternatives may be nested", () => {
  const schema: StructuralSchema = {
    type: "integer",
    anyOf: [{ allOf: [{ minimum: 5 }, { maximum: 9 }] }, { enum: [1] }],
  };
  expect(errorsOf(3, schema)).toEqual([
    'invalid <nil>: Invalid value: "": "spec.f" must validate at least one schema (anyOf)',
    "invalid spec.f: Invalid value: 3: spec.f in body should be greater than or equal to 5",
    'invalid <nil>: Invalid value: "": "spec.f" must validate all the schemas (allOf)',
  ]);
  expect(errorsOf(6, schema)).toEqual([]);
  expect(errorsOf(10, schema)).toEqual([
    'invalid <nil>: Invalid value: "": "spec.f" must validate at least one schema (anyOf)',
    "invalid spec.f: Invalid value: 10: spec.f in body should be less than or equal to 9",
    'invalid <nil>: Invalid value: "": "spec.f" must validate all the schemas (allOf)',
  ]);
});

test("not may contain alternatives", () => {
  const schema: StructuralSchema = { type: "integer", not: { allOf: [{ minimum: 5 }] } };
  expect(errorsOf(6, schema)).toEqual([
    'invalid <nil>: Invalid value: "": "spec.f" must not validate the schema (not)',
  ]);
});
