import { expect, test } from "vitest";
import type { StructuralSchema } from "../structure/structural-schema.ts";
import { errorsOf } from "./validate.fixture.ts";

test("minimum and maximum are inclusive", () => {
  const schema: StructuralSchema = { type: "integer", minimum: 1, maximum: 10 };
  expect(errorsOf(0, schema)).toEqual([
    "invalid spec.f: Invalid value: 0: spec.f in body should be greater than or equal to 1",
  ]);
  expect(errorsOf(11, schema)).toEqual([
    "invalid spec.f: Invalid value: 11: spec.f in body should be less than or equal to 10",
  ]);
  expect(errorsOf(1, schema)).toEqual([]);
  expect(errorsOf(10, schema)).toEqual([]);
});

test("exclusiveMinimum and exclusiveMaximum exclude the bound", () => {
  const schema: StructuralSchema = {
    type: "integer",
    minimum: 1,
    exclusiveMinimum: true,
    maximum: 10,
    exclusiveMaximum: true,
  };
  expect(errorsOf(1, schema)).toEqual([
    "invalid spec.f: Invalid value: 1: spec.f in body should be greater than 1",
  ]);
  expect(errorsOf(10, schema)).toEqual([
    "invalid spec.f: Invalid value: 10: spec.f in body should be less than 10",
  ]);
  expect(errorsOf(2, schema)).toEqual([]);
});

test("the fraction of a bound is ignored for an integer", () => {
  const schema: StructuralSchema = { type: "number", minimum: 0.5, maximum: 10.5 };
  expect(errorsOf(0, schema)).toEqual([]);
  expect(errorsOf(0.25, schema)).toEqual([
    "invalid spec.f: Invalid value: 0.25: spec.f in body should be greater than or equal to 0.5",
  ]);
  expect(errorsOf(11, schema)).toEqual([
    "invalid spec.f: Invalid value: 11: spec.f in body should be less than or equal to 10",
  ]);
  expect(errorsOf(10.75, schema)).toEqual([
    "invalid spec.f: Invalid value: 10.75: spec.f in body should be less than or equal to 10.5",
  ]);
  expect(errorsOf(10, schema)).toEqual([]);
  expect(errorsOf(0.5, schema)).toEqual([]);
});

test("the fraction of an exclusive bound is ignored for an integer", () => {
  const schema: StructuralSchema = {
    type: "number",
    minimum: 0.5,
    exclusiveMinimum: true,
    maximum: 10.5,
    exclusiveMaximum: true,
  };
  expect(errorsOf(0, schema)).toEqual([
    "invalid spec.f: Invalid value: 0: spec.f in body should be greater than 0",
  ]);
  expect(errorsOf(0.5, schema)).toEqual([
    "invalid spec.f: Invalid value: 0.5: spec.f in body should be greater than 0.5",
  ]);
  expect(errorsOf(10.5, schema)).toEqual([
    "invalid spec.f: Invalid value: 10.5: spec.f in body should be less than 10.5",
  ]);
  expect(errorsOf(1, schema)).toEqual([]);
});

test("a bound outside int64 becomes the lowest int64 for an integer", () => {
  const schema: StructuralSchema = { type: "number", maximum: 1e300 };
  expect(errorsOf(5, schema)).toEqual([
    "invalid spec.f: Invalid value: 5: spec.f in body should be less than or equal to -9223372036854775808",
  ]);
  expect(errorsOf(5.5, schema)).toEqual([]);
});

test("bounds and values are printed like in Go", () => {
  const schema: StructuralSchema = { type: "number", maximum: 1000000, minimum: 0.00001 };
  expect(errorsOf(2000000, schema)).toEqual([
    "invalid spec.f: Invalid value: 2000000: spec.f in body should be less than or equal to 1000000",
  ]);
  expect(errorsOf(2000000.5, schema)).toEqual([
    "invalid spec.f: Invalid value: 2.0000005e+06: spec.f in body should be less than or equal to 1e+06",
  ]);
  expect(errorsOf(0, schema)).toEqual([]);
  expect(errorsOf(0.000001, schema)).toEqual([
    "invalid spec.f: Invalid value: 1e-06: spec.f in body should be greater than or equal to 1e-05",
  ]);
  expect(errorsOf(123456789.5, schema)).toEqual([
    "invalid spec.f: Invalid value: 1.234567895e+08: spec.f in body should be less than or equal to 1e+06",
  ]);
});

test("a bound that does not fit the type is an error", () => {
  const schema: StructuralSchema = { type: "integer", maximum: 10.5, minimum: 0.5 };
  expect(errorsOf(11, schema)).toEqual([
    'invalid <nil>: Invalid value: "": Minimum boundary value must be of type integer (default format) in spec.f',
    'invalid <nil>: Invalid value: "": Maximum boundary value must be of type integer (default format) in spec.f',
    "invalid spec.f: Invalid value: 11: spec.f in body should be less than or equal to 10.5",
  ]);
  expect(errorsOf(0, schema)).toEqual([
    'invalid <nil>: Invalid value: "": Minimum boundary value must be of type integer (default format) in spec.f',
    "invalid spec.f: Invalid value: 0: spec.f in body should be greater than or equal to 0.5",
    'invalid <nil>: Invalid value: "": Maximum boundary value must be of type integer (default format) in spec.f',
  ]);
  expect(errorsOf(5, schema)).toEqual([
    'invalid <nil>: Invalid value: "": Minimum boundary value must be of type integer (default format) in spec.f',
    'invalid <nil>: Invalid value: "": Maximum boundary value must be of type integer (default format) in spec.f',
  ]);
});

test("a bound that does not fit the format is an error", () => {
  const schema: StructuralSchema = { type: "integer", format: "int32", maximum: 3000000000 };
  expect(errorsOf(5, schema)).toEqual([
    'invalid <nil>: Invalid value: "": Maximum boundary value must be of type integer with format int32 in spec.f',
  ]);
  expect(errorsOf(2147483648, schema)).toEqual([
    'invalid <nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.f',
    'invalid <nil>: Invalid value: "": Maximum boundary value must be of type integer with format int32 in spec.f',
  ]);
});

test("multipleOf an integer is exact", () => {
  const schema: StructuralSchema = { type: "integer", multipleOf: 3 };
  expect(errorsOf(4, schema)).toEqual([
    "invalid spec.f: Invalid value: 4: spec.f in body should be a multiple of 3",
  ]);
  expect(errorsOf(6, schema)).toEqual([]);
  expect(errorsOf(0, schema)).toEqual([]);
  expect(errorsOf(-3, schema)).toEqual([]);
});

test("multipleOf a fraction tolerates rounding errors", () => {
  const schema: StructuralSchema = { type: "number", multipleOf: 0.1 };
  expect(errorsOf(0.3, schema)).toEqual([]);
  expect(errorsOf(0.35, schema)).toEqual([
    "invalid spec.f: Invalid value: 0.35: spec.f in body should be a multiple of 0.1",
  ]);
  expect(errorsOf(1, schema)).toEqual([
    "invalid spec.f: Invalid value: 0: factor MultipleOf declared for spec.f must be positive: 0",
  ]);
  expect(errorsOf(0.30000000000000004, schema)).toEqual([]);
  expect(errorsOf(-0.2, schema)).toEqual([]);
});

test("the fraction of multipleOf is cut off for an integer", () => {
  const schema: StructuralSchema = { type: "number", multipleOf: 2.5 };
  expect(errorsOf(5, schema)).toEqual([
    "invalid spec.f: Invalid value: 5: spec.f in body should be a multiple of 2",
  ]);
  expect(errorsOf(5.5, schema)).toEqual([
    "invalid spec.f: Invalid value: 5.5: spec.f in body should be a multiple of 2.5",
  ]);
  expect(errorsOf(7.5, schema)).toEqual([]);
  expect(errorsOf(3, schema)).toEqual([
    "invalid spec.f: Invalid value: 3: spec.f in body should be a multiple of 2",
  ]);
});

test("a multipleOf that does not fit the type is an error", () => {
  const schema: StructuralSchema = { type: "integer", multipleOf: 0.5 };
  expect(errorsOf(1, schema)).toEqual([
    'invalid <nil>: Invalid value: "": MultipleOf value must be of type integer (default format) in spec.f',
  ]);
});

test("a multipleOf of zero refuses every value", () => {
  const schema: StructuralSchema = { type: "integer", multipleOf: 0 };
  expect(errorsOf(1, schema)).toEqual([
    "invalid spec.f: Invalid value: 0: factor MultipleOf declared for spec.f must be positive: 0",
  ]);
});

test("a negative multipleOf refuses every value", () => {
  const schema: StructuralSchema = { type: "number", multipleOf: -2 };
  expect(errorsOf(1.5, schema)).toEqual([
    "invalid spec.f: Invalid value: -2: factor MultipleOf declared for spec.f must be positive: -2",
  ]);
  expect(errorsOf(2, schema)).toEqual([
    "invalid spec.f: Invalid value: -2: factor MultipleOf declared for spec.f must be positive: -2",
  ]);
});

test("bounds of an int-or-string follow the type of the value", () => {
  const schema: StructuralSchema = {
    "x-kubernetes-int-or-string": true,
    minimum: 2,
    maxLength: 3,
    pattern: "^a",
  };
  expect(errorsOf(1, schema)).toEqual([
    "invalid spec.f: Invalid value: 1: spec.f in body should be greater than or equal to 2",
  ]);
  expect(errorsOf(2, schema)).toEqual([]);
  expect(errorsOf("x", schema)).toEqual([
    "invalid spec.f: Invalid value: \"x\": spec.f in body should match '^a'",
  ]);
  expect(errorsOf("abcd", schema)).toEqual(["tooLong spec.f: Too long: may not be more than 3 bytes"]);
  expect(errorsOf("ab", schema)).toEqual([]);
});
