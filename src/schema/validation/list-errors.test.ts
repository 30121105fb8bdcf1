import { expect, test } from "vitest";
import type { StructuralSchema } from "../structure/structural-schema.ts";
import { compileSchema } from "./compile-schema.ts";
import { listErrors } from "./list-errors.ts";
import { errorLines, objectWith } from "./validate.fixture.ts";

const text: StructuralSchema = { type: "string" };

function errorsOf(value: unknown, schema: StructuralSchema, old?: unknown): string[] {
  const oldValue = old === undefined ? undefined : { spec: { f: old } };
  return errorLines(listErrors({ spec: { f: value } }, compileSchema(objectWith(schema)), { oldValue }));
}

test("a duplicate element of a set is reported once", () => {
  const set: StructuralSchema = { type: "array", "x-kubernetes-list-type": "set", items: text };
  expect(errorsOf(["a", "b", "a", "a", "b"], set)).toEqual([
    'duplicate spec.f[2]: Duplicate value: "a"',
    'duplicate spec.f[4]: Duplicate value: "b"',
  ]);
  expect(errorsOf(["a", "b"], set)).toEqual([]);
});

test("numbers and objects of a set are compared by value", () => {
  const numbers: StructuralSchema = {
    type: "array",
    "x-kubernetes-list-type": "set",
    items: { type: "number" },
  };
  expect(errorsOf([1, 2, 1, 1.5, 1.5], numbers)).toEqual([
    "duplicate spec.f[2]: Duplicate value: 1",
    "duplicate spec.f[4]: Duplicate value: 1.5",
  ]);
  const objects: StructuralSchema = {
    type: "array",
    "x-kubernetes-list-type": "set",
    items: {
      type: "object",
      "x-kubernetes-map-type": "atomic",
      "x-kubernetes-preserve-unknown-fields": true,
    },
  };
  expect(
    errorsOf(
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      objects,
    ),
  ).toEqual(['duplicate spec.f[1]: Duplicate value: {"a":1,"b":2}']);
});

test("duplicate elements of a map list are reported with their keys", () => {
  const list: StructuralSchema = {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
    items: { type: "object", required: ["name"], properties: { name: text, v: { type: "integer" } } },
  };
  expect(
    errorsOf([{ name: "a", v: 1 }, { name: "b" }, { name: "a", v: 2 }, { name: "a", v: 3 }], list),
  ).toEqual(['duplicate spec.f[2]: Duplicate value: {"name":"a"}']);
  expect(errorsOf([{ v: 1 }, { v: 2 }], list)).toEqual(["duplicate spec.f[1]: Duplicate value: {}"]);
  expect(errorsOf([{ name: "a" }, "b"], list)).toEqual([
    'invalid spec.f[1]: Invalid value: "b": must be an object for an array of list-type map',
  ]);
});

test("elements of a map list with several keys differ if one key differs", () => {
  const list: StructuralSchema = {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["port", "protocol"],
    items: { type: "object", properties: { port: { type: "integer" }, protocol: text } },
  };
  const tcp = { port: 1, protocol: "TCP" };
  expect(errorsOf([tcp, { port: 1, protocol: "UDP" }, tcp], list)).toEqual([
    'duplicate spec.f[2]: Duplicate value: {"port":1,"protocol":"TCP"}',
  ]);
});

test("lists are checked in maps, whose keys are printed in brackets", () => {
  const map: StructuralSchema = {
    type: "object",
    additionalProperties: {
      type: "object",
      properties: { l: { type: "array", "x-kubernetes-list-type": "set", items: text } },
    },
  };
  expect(errorsOf({ k: { l: ["a", "a"] } }, map)).toEqual(['duplicate spec.f[k].l[1]: Duplicate value: "a"']);
});

test("an update of a value with duplicates may have other duplicates", () => {
  const set: StructuralSchema = { type: "array", "x-kubernetes-list-type": "set", items: text };
  expect(errorsOf(["a", "a", "b", "b"], set, ["a", "a"])).toEqual([]);
  expect(errorsOf(["a", "a"], set, ["a"])).toEqual(['duplicate spec.f[1]: Duplicate value: "a"']);
});
