import { expect, test } from "vitest";
import type { StructuralSchema } from "../structure/structural-schema.ts";
import { errorsOf } from "./validate.fixture.ts";

test("a value of another type than declared is refused", () => {
  const schema: StructuralSchema = { type: "integer" };
  expect(errorsOf("x", schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "string": spec.f in body must be of type integer: "string"',
  ]);
  expect(errorsOf(1.5, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "number": spec.f in body must be of type integer: "number"',
    'invalid <nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.f',
  ]);
  expect(errorsOf(true, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "boolean": spec.f in body must be of type integer: "boolean"',
  ]);
  expect(errorsOf({}, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "object": spec.f in body must be of type integer: "object"',
  ]);
  expect(errorsOf([], schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "array": spec.f in body must be of type integer: "array"',
  ]);
  expect(errorsOf("", schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "string": spec.f in body must be of type integer: "string"',
  ]);
  expect(errorsOf(10000000000000000000, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "number": spec.f in body must be of type integer: "number"',
    'invalid <nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.f',
  ]);
  expect(errorsOf(-3, schema)).toEqual([]);
});

test("a mismatch with an int32 names the format", () => {
  const schema: StructuralSchema = { type: "integer", format: "int32" };
  expect(errorsOf("x", schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "string": spec.f in body must be of type integer: "string"',
  ]);
  expect(errorsOf(1.5, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "float64": spec.f in body must be of type int32: "float64"',
    'invalid <nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.f',
  ]);
  expect(errorsOf(true, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "": spec.f in body must be of type int32: ""',
  ]);
  expect(errorsOf({}, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "": spec.f in body must be of type int32: ""',
  ]);
  expect(errorsOf([], schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "array": spec.f in body must be of type integer: "array"',
  ]);
  expect(errorsOf(2147483648, schema)).toEqual([
    'invalid <nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.f',
  ]);
  expect(errorsOf(-2147483649, schema)).toEqual([
    'invalid <nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.f',
  ]);
  expect(errorsOf(2147483647, schema)).toEqual([]);
});

test("a mismatch with an int64 names the format", () => {
  const schema: StructuralSchema = { type: "integer", format: "int64" };
  expect(errorsOf("x", schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "string": spec.f in body must be of type integer: "string"',
  ]);
  expect(errorsOf(1.5, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "float64": spec.f in body must be of type int64: "float64"',
    'invalid <nil>: Invalid value: "": Checked value must be of type integer with format int64 in spec.f',
  ]);
  expect(errorsOf(true, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "": spec.f in body must be of type int64: ""',
  ]);
  expect(errorsOf({}, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "": spec.f in body must be of type int64: ""',
  ]);
  expect(errorsOf([], schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "array": spec.f in body must be of type integer: "array"',
  ]);
  expect(errorsOf(2147483648, schema)).toEqual([]);
  expect(errorsOf(10000000000000000000, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "float64": spec.f in body must be of type int64: "float64"',
    'invalid <nil>: Invalid value: "": Checked value must be of type integer with format int64 in spec.f',
  ]);
});

test("a format that integers do not have is ignored", () => {
  const schema: StructuralSchema = { type: "integer", format: "uint8" };
  expect(errorsOf("x", schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "string": spec.f in body must be of type integer: "string"',
  ]);
  expect(errorsOf(1.5, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "number": spec.f in body must be of type integer: "number"',
    'invalid <nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.f',
  ]);
  expect(errorsOf(300, schema)).toEqual([]);
});

test("an integer is a number", () => {
  const schema: StructuralSchema = { type: "number" };
  expect(errorsOf("x", schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "string": spec.f in body must be of type number: "string"',
  ]);
  expect(errorsOf(true, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "boolean": spec.f in body must be of type number: "boolean"',
  ]);
  expect(errorsOf({}, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "object": spec.f in body must be of type number: "object"',
  ]);
  expect(errorsOf([], schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "array": spec.f in body must be of type number: "array"',
  ]);
  expect(errorsOf(1, schema)).toEqual([]);
  expect(errorsOf(1.5, schema)).toEqual([]);
});

test("a mismatch with a float names the format, and the value must fit it", () => {
  const schema: StructuralSchema = { type: "number", format: "float" };
  expect(errorsOf("x", schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "string": spec.f in body must be of type number: "string"',
  ]);
  expect(errorsOf(true, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "": spec.f in body must be of type float: ""',
  ]);
  expect(errorsOf({}, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "": spec.f in body must be of type float: ""',
  ]);
  expect(errorsOf([], schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "array": spec.f in body must be of type number: "array"',
  ]);
  expect(errorsOf(1, schema)).toEqual([]);
  expect(errorsOf(1.5, schema)).toEqual([]);
  expect(errorsOf(1e300, schema)).toEqual([
    'invalid <nil>: Invalid value: "": Checked value must be of type number with format float in spec.f',
  ]);
});

test("a mismatch with a double names the format", () => {
  const schema: StructuralSchema = { type: "number", format: "double" };
  expect(errorsOf("x", schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "string": spec.f in body must be of type number: "string"',
  ]);
  expect(errorsOf(true, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "": spec.f in body must be of type double: ""',
  ]);
  expect(errorsOf(1e300, schema)).toEqual([]);
});

test("a string field accepts only strings", () => {
  const schema: StructuralSchema = { type: "string" };
  expect(errorsOf(1, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "integer": spec.f in body must be of type string: "integer"',
  ]);
  expect(errorsOf(1.5, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "number": spec.f in body must be of type string: "number"',
  ]);
  expect(errorsOf(true, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "boolean": spec.f in body must be of type string: "boolean"',
  ]);
  expect(errorsOf({}, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "object": spec.f in body must be of type string: "object"',
  ]);
  expect(errorsOf([], schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "array": spec.f in body must be of type string: "array"',
  ]);
});

test("a boolean field accepts only booleans", () => {
  const schema: StructuralSchema = { type: "boolean" };
  expect(errorsOf(1, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "integer": spec.f in body must be of type boolean: "integer"',
  ]);
  expect(errorsOf("x", schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "string": spec.f in body must be of type boolean: "string"',
  ]);
  expect(errorsOf({}, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "object": spec.f in body must be of type boolean: "object"',
  ]);
  expect(errorsOf([], schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "array": spec.f in body must be of type boolean: "array"',
  ]);
});

test("an object field accepts only objects", () => {
  const schema: StructuralSchema = { type: "object", properties: { a: { type: "string" } } };
  expect(errorsOf(1, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "integer": spec.f in body must be of type object: "integer"',
  ]);
  expect(errorsOf("x", schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "string": spec.f in body must be of type object: "string"',
  ]);
  expect(errorsOf(true, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "boolean": spec.f in body must be of type object: "boolean"',
  ]);
  expect(errorsOf([], schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "array": spec.f in body must be of type object: "array"',
  ]);
  expect(errorsOf({ a: 1 }, schema)).toEqual([
    'typeInvalid spec.f.a: Invalid value: "integer": spec.f.a in body must be of type string: "integer"',
  ]);
});

test("a list field accepts only lists, without null elements", () => {
  const schema: StructuralSchema = { type: "array", items: { type: "string" } };
  expect(errorsOf(1, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "integer": spec.f in body must be of type array: "integer"',
  ]);
  expect(errorsOf("x", schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "string": spec.f in body must be of type array: "string"',
  ]);
  expect(errorsOf(true, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "boolean": spec.f in body must be of type array: "boolean"',
  ]);
  expect(errorsOf({}, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "object": spec.f in body must be of type array: "object"',
  ]);
  expect(errorsOf([1], schema)).toEqual([
    'typeInvalid spec.f[0]: Invalid value: "integer": spec.f[0] in body must be of type string: "integer"',
  ]);
  expect(errorsOf(["a", null], schema)).toEqual([
    'typeInvalid spec.f[1]: Invalid value: "null": spec.f[1] in body must be of type string: "null"',
  ]);
  expect(errorsOf(["a", {}], schema)).toEqual([
    'typeInvalid spec.f[1]: Invalid value: "object": spec.f[1] in body must be of type string: "object"',
  ]);
});

test("an int-or-string field accepts only integers and strings", () => {
  const schema: StructuralSchema = { "x-kubernetes-int-or-string": true };
  expect(errorsOf(1, schema)).toEqual([]);
  expect(errorsOf("x", schema)).toEqual([]);
  expect(errorsOf(true, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "boolean": spec.f in body must be of type integer,string: "boolean"',
  ]);
  expect(errorsOf(1.5, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "number": spec.f in body must be of type integer,string: "number"',
  ]);
  expect(errorsOf({}, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "object": spec.f in body must be of type integer,string: "object"',
  ]);
  expect(errorsOf([], schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "array": spec.f in body must be of type integer,string: "array"',
  ]);
});

test("a nullable field accepts null", () => {
  const schema: StructuralSchema = { type: "string", nullable: true };
  expect(errorsOf(null, schema)).toEqual([]);
});

test("a list of nullable elements accepts null elements", () => {
  const schema: StructuralSchema = { type: "array", items: { type: "string", nullable: true } };
  expect(errorsOf([null, "a"], schema)).toEqual([]);
});

test("a map of nullable values accepts null values", () => {
  const schema: StructuralSchema = {
    type: "object",
    additionalProperties: { type: "string", nullable: true },
  };
  expect(errorsOf({ a: null }, schema)).toEqual([]);
});

test("a format without a type refuses all values but strings and lists", () => {
  const schema: StructuralSchema = { "x-kubernetes-preserve-unknown-fields": true, format: "date" };
  expect(errorsOf("x", schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "x": spec.f in body must be of type date: "x"',
  ]);
  expect(errorsOf(1, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "int64": spec.f in body must be of type date: "int64"',
  ]);
  expect(errorsOf(true, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "": spec.f in body must be of type date: ""',
  ]);
  expect(errorsOf({}, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "": spec.f in body must be of type date: ""',
  ]);
  expect(errorsOf([], schema)).toEqual([]);
  expect(errorsOf(1.5, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "float64": spec.f in body must be of type date: "float64"',
  ]);
  expect(errorsOf("2020-01-01", schema)).toEqual([]);
});

test("a format of an object is ignored", () => {
  const schema: StructuralSchema = { type: "object", format: "date", properties: {} };
  expect(errorsOf({}, schema)).toEqual([]);
  expect(errorsOf(1, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "integer": spec.f in body must be of type object: "integer"',
  ]);
});

test("a mismatch names the format instead of the type", () => {
  const schema: StructuralSchema = { type: "string", format: "password" };
  expect(errorsOf("x", schema)).toEqual([]);
  expect(errorsOf(1, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "int64": spec.f in body must be of type password: "int64"',
  ]);
});

test("an unknown format is ignored", () => {
  const schema: StructuralSchema = { type: "string", format: "foo" };
  expect(errorsOf("x", schema)).toEqual([]);
  expect(errorsOf(1, schema)).toEqual([
    'typeInvalid spec.f: Invalid value: "integer": spec.f in body must be of type string: "integer"',
  ]);
});
