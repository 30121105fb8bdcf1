import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonValues, structuralSchemas } from "../schema.fixture.ts";
import type { StructuralSchema } from "../structure/structural-schema.ts";
import { compileSchema } from "./compile-schema.ts";
import { errorLines } from "./validate.fixture.ts";
import { validate } from "./validate.ts";

const text: StructuralSchema = { type: "string" };
const number: StructuralSchema = { type: "integer" };
const short: StructuralSchema = { type: "string", maxLength: 1 };

function object(properties: Record<string, StructuralSchema>, more: StructuralSchema = {}): StructuralSchema {
  return { type: "object", properties, ...more };
}

/** Returns the errors of an update from one spec to another. */
function errorsOfUpdate(spec: StructuralSchema, old: unknown, value: unknown): string[] {
  return errorLines(validate({ spec: value }, compileSchema(object({ spec })), { oldValue: { spec: old } }));
}

test("the path prefix is part of the field but not of the message", () => {
  const schema = compileSchema(object({ replicas: { type: "integer", maximum: 10 } }, { required: ["a"] }));
  expect(errorLines(validate({ replicas: 11 }, schema, { path: "status" }))).toEqual([
    "invalid status.replicas: Invalid value: 11: replicas in body should be less than or equal to 10",
    "required status.a: Required value",
  ]);
  expect(errorLines(validate("x", schema, { path: "status" }))).toEqual([
    'typeInvalid status: Invalid value: "string":  in body must be of type object: "string"',
  ]);
});

test("an error found by two parts of a schema is reported once", () => {
  const schema = compileSchema(object({ a: text }, { required: ["a"], allOf: [{ required: ["a"] }] }));
  expect(errorLines(validate({}, schema))).toEqual([
    "required a: Required value",
    'invalid <nil>: Invalid value: "": "" must validate all the schemas (allOf). None validated',
  ]);
});

test("an update may keep errors of unchanged fields", () => {
  const spec = object({ a: short, b: number });
  expect(errorsOfUpdate(spec, { a: "long", b: 1 }, { a: "long", b: 2 })).toEqual([]);
  expect(errorsOfUpdate(spec, { a: "long", b: 1 }, { a: "longer", b: 2 })).toEqual([
    "tooLong spec.a: Too long: may not be more than 1 byte",
  ]);
});

test("a missing required field is accepted while its object is unchanged", () => {
  const spec = object({ o: object({ x: text, y: text }, { required: ["y"] }), b: number });
  expect(errorsOfUpdate(spec, { o: { x: "1" }, b: 1 }, { o: { x: "1" }, b: 2 })).toEqual([]);
  expect(errorsOfUpdate(spec, { o: { x: "1" }, b: 1 }, { o: { x: "2" }, b: 1 })).toEqual([
    "required spec.o.y: Required value",
  ]);
});

test("elements of a map list are compared by their keys at any position", () => {
  const items = object({ name: text, v: short }, { required: ["name"] });
  const list: StructuralSchema = {
    type: "array",
    maxItems: 3,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
    items,
  };
  const old = [
    { name: "a", v: "long" },
    { name: "b", v: "long" },
  ];
  const value = [
    { name: "c", v: "x" },
    { name: "b", v: "long" },
    { name: "a", v: "longer" },
  ];
  expect(errorsOfUpdate(object({ list }), { list: old }, { list: value })).toEqual([
    "tooLong spec.list[2].v: Too long: may not be more than 1 byte",
  ]);
});

test("a reordered map list is unchanged", () => {
  const list: StructuralSchema = {
    type: "array",
    maxItems: 1,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
    items: object({ name: text }),
  };
  const names = (...all: string[]): unknown => ({ list: all.map((name) => ({ name })) });
  expect(errorsOfUpdate(object({ list }), names("a", "b"), names("b", "a"))).toEqual([]);
  expect(errorsOfUpdate(object({ list }), names("a", "b"), names("b", "c"))).toEqual([
    "tooMany spec.list: Too many: 2: must have at most 1 item",
  ]);
});

test("elements of other lists are compared only with the whole list", () => {
  for (const listType of ["atomic", "set"] as const) {
    const spec = object({
      l: { type: "array", "x-kubernetes-list-type": listType, items: short },
      b: number,
    });
    expect(errorsOfUpdate(spec, { l: ["long", "b"] }, { l: ["long", "c"] })).toEqual([
      "tooLong spec.l[0]: Too long: may not be more than 1 byte",
    ]);
    expect(errorsOfUpdate(spec, { l: ["long"], b: 1 }, { l: ["long"], b: 2 })).toEqual([]);
  }
});

test("values of maps are compared by key", () => {
  const spec = object({ m: { type: "object", additionalProperties: short } });
  expect(errorsOfUpdate(spec, { m: { a: "long", b: "x" } }, { m: { a: "long", b: "y" } })).toEqual([]);
});

test("errors inside alternatives are kept unless the whole value is unchanged", () => {
  const inside = object({ a: text, b: number }, { allOf: [{ properties: { a: { maxLength: 2 } } }] });
  expect(errorsOfUpdate(inside, { a: "long", b: 1 }, { a: "long", b: 2 })).toEqual([
    "tooLong spec.a: Too long: may not be more than 2 bytes",
    'invalid <nil>: Invalid value: "": "spec" must validate all the schemas (allOf). None validated',
  ]);
  const whole = object({ a: { ...text, allOf: [{ maxLength: 2 }] }, b: number });
  expect(errorsOfUpdate(whole, { a: "long", b: 1 }, { a: "long", b: 2 })).toEqual([]);
});

test("an object with preserved fields counts as changed", () => {
  const o = object({ x: text }, { "x-kubernetes-preserve-unknown-fields": true, required: ["y"] });
  const spec = object({ o, b: number });
  expect(errorsOfUpdate(spec, { o: { zz: 1 }, b: 1 }, { o: { zz: 1 }, b: 2 })).toEqual([
    "required spec.o.y: Required value",
  ]);
});

test("errors of apiVersion and kind are always reported", () => {
  const schema = compileSchema(object({ apiVersion: short, kind: short, a: short, b: number }));
  const value = { apiVersion: "long", kind: "long", a: "long", b: 1 };
  expect(errorLines(validate(value, schema, { oldValue: { ...value, b: 2 } }))).toEqual([
    "tooLong apiVersion: Too long: may not be more than 1 byte",
    "tooLong kind: Too long: may not be more than 1 byte",
  ]);
});

test("an update without changes has no errors, and an old value never adds one", () => {
  fc.assert(
    fc.property(structuralSchemas(), jsonValues(), jsonValues(), (schema, value, old) => {
      const compiled = compileSchema(schema);
      const errors = validate(value, compiled);
      expect(errors).toEqual(expect.arrayContaining(validate(value, compiled, { oldValue: old })));
    }),
  );
});
