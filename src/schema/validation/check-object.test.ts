import { expect, test } from "vitest";
import type { StructuralSchema } from "../structure/structural-schema.ts";
import { errorsOf } from "./validate.fixture.ts";

test("minProperties and maxProperties bound the size of a map", () => {
  const schema: StructuralSchema = {
    type: "object",
    additionalProperties: { type: "string" },
    minProperties: 1,
    maxProperties: 2,
  };
  expect(errorsOf({}, schema)).toEqual([
    "invalid spec.f: Invalid value: 0: spec.f in body should have at least 1 properties",
  ]);
  expect(errorsOf({ a: "1", b: "2", c: "3" }, schema)).toEqual([
    "tooMany spec.f: Too many: 3: must have at most 2 items",
  ]);
});

test("each missing required field is reported", () => {
  const schema: StructuralSchema = {
    type: "object",
    properties: { a: { type: "string" }, b: { type: "string" } },
    required: ["a", "b"],
  };
  expect(errorsOf({}, schema)).toEqual([
    "required spec.f.a: Required value",
    "required spec.f.b: Required value",
  ]);
  expect(errorsOf({ a: "1" }, schema)).toEqual(["required spec.f.b: Required value"]);
});

test("required fields are checked at every depth", () => {
  const schema: StructuralSchema = {
    type: "object",
    properties: {
      o: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
      l: { type: "array", items: { type: "object", properties: { a: { type: "string" } }, required: ["a"] } },
      m: {
        type: "object",
        additionalProperties: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
      },
    },
  };
  expect(errorsOf({ o: {}, l: [{}], m: { k: {}, "a.b/c": {} } }, schema)).toEqual([
    "required spec.f.o.a: Required value",
    "required spec.f.l[0].a: Required value",
    "required spec.f.m.k.a: Required value",
    "required spec.f.m.a.b/c.a: Required value",
  ]);
});

test("a required field need not be declared", () => {
  const schema: StructuralSchema = {
    type: "object",
    "x-kubernetes-preserve-unknown-fields": true,
    required: ["a"],
  };
  expect(errorsOf({}, schema)).toEqual(["required spec.f.a: Required value"]);
  expect(errorsOf({ a: 1 }, schema)).toEqual([]);
});

test("additionalProperties false refuses every key", () => {
  const schema: StructuralSchema = { type: "object", additionalProperties: false };
  expect(errorsOf({ a: 1 }, schema)).toEqual([
    'invalid spec.f: Invalid value: "a": spec.f.a in body is a forbidden property',
  ]);
  expect(errorsOf({}, schema)).toEqual([]);
});

test("the schema of additionalProperties applies to the values of a map", () => {
  const schema: StructuralSchema = { type: "object", additionalProperties: { type: "integer" } };
  expect(errorsOf({ a: "x", b: 1, "c.d": "y" }, schema)).toEqual([
    'typeInvalid spec.f.a: Invalid value: "string": spec.f.a in body must be of type integer: "string"',
    'typeInvalid spec.f.c.d: Invalid value: "string": spec.f.c.d in body must be of type integer: "string"',
  ]);
});
