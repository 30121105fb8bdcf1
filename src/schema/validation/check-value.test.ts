import { expect, test } from "vitest";
import type { StructuralSchema } from "../structure/structural-schema.ts";
import { errorsOf } from "./validate.fixture.ts";

test("a value outside the enum is refused with all allowed values", () => {
  const schema: StructuralSchema = { type: "string", enum: ["a", "b"] };
  expect(errorsOf("c", schema)).toEqual([
    'notSupported spec.f: Unsupported value: "c": supported values: "a", "b"',
  ]);
  expect(errorsOf("a", schema)).toEqual([]);
  expect(errorsOf("", schema)).toEqual([
    'notSupported spec.f: Unsupported value: "": supported values: "a", "b"',
  ]);
});

test("a number is truncated if the enum has an integer", () => {
  const schema: StructuralSchema = { type: "number", enum: [1, 2.5] };
  expect(errorsOf(3, schema)).toEqual([
    'notSupported spec.f: Unsupported value: 3: supported values: "1", "2.5"',
  ]);
  expect(errorsOf(1, schema)).toEqual([]);
  expect(errorsOf(1.5, schema)).toEqual([]);
  expect(errorsOf(2.5, schema)).toEqual([]);
  expect(errorsOf(2, schema)).toEqual([
    'notSupported spec.f: Unsupported value: 2: supported values: "1", "2.5"',
  ]);
});

test("numbers of an enum are printed as text", () => {
  const schema: StructuralSchema = { type: "integer", enum: [1, 2] };
  expect(errorsOf(3, schema)).toEqual([
    'notSupported spec.f: Unsupported value: 3: supported values: "1", "2"',
  ]);
  expect(errorsOf(1, schema)).toEqual([]);
});

test("an enum may have values of any type, and its null allows nothing", () => {
  const schema: StructuralSchema = {
    "x-kubernetes-preserve-unknown-fields": true,
    enum: [{ a: 1 }, [1], "x", null, true],
  };
  expect(errorsOf({ a: 1 }, schema)).toEqual([]);
  expect(errorsOf({ a: 2 }, schema)).toEqual([
    'notSupported spec.f: Unsupported value: {"a":2}: supported values: "{\\"a\\":1}", "[1]", "x", "null", "true"',
  ]);
  expect(errorsOf([1], schema)).toEqual([]);
  expect(errorsOf([2], schema)).toEqual([
    'notSupported spec.f: Unsupported value: [2]: supported values: "{\\"a\\":1}", "[1]", "x", "null", "true"',
  ]);
  expect(errorsOf("x", schema)).toEqual([]);
  expect(errorsOf(false, schema)).toEqual([
    'notSupported spec.f: Unsupported value: false: supported values: "{\\"a\\":1}", "[1]", "x", "null", "true"',
  ]);
});

test("null is not in an enum without null", () => {
  const schema: StructuralSchema = { type: "string", nullable: true, enum: ["a", "b"] };
  expect(errorsOf(null, schema)).toEqual([
    'notSupported spec.f: Unsupported value: null: supported values: "a", "b"',
  ]);
  expect(errorsOf("a", schema)).toEqual([]);
});

test("null is not in an enum with null", () => {
  const schema: StructuralSchema = { type: "string", nullable: true, enum: ["a", null] };
  expect(errorsOf(null, schema)).toEqual([
    'notSupported spec.f: Unsupported value: null: supported values: "a", "null"',
  ]);
  expect(errorsOf("a", schema)).toEqual([]);
});

test("booleans of an enum are printed as text", () => {
  const schema: StructuralSchema = { type: "boolean", enum: [true] };
  expect(errorsOf(false, schema)).toEqual([
    'notSupported spec.f: Unsupported value: false: supported values: "true"',
  ]);
});

test("objects of an enum are compared as a whole", () => {
  const schema: StructuralSchema = {
    type: "object",
    properties: { a: { type: "integer" } },
    enum: [{ a: 1 }],
  };
  expect(errorsOf({ a: 2 }, schema)).toEqual([
    'notSupported spec.f: Unsupported value: {"a":2}: supported values: "{\\"a\\":1}"',
  ]);
  expect(errorsOf({ a: 1 }, schema)).toEqual([]);
});
