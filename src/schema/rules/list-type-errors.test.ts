import { expect, test } from "vitest";
import { errorsOfField } from "./structural-errors.fixture.ts";

test("a list type needs a list and one of three values", () => {
  expect(errorsOfField({ type: "string", "x-kubernetes-list-type": "set" })).toEqual([
    'invalid @.type: Invalid value: "string": must be array if x-kubernetes-list-type is specified',
  ]);
  expect(
    errorsOfField({ "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-list-type": "set" }),
  ).toEqual(["required @.type: Required value: must be array if x-kubernetes-list-type is specified"]);
  expect(
    errorsOfField({ type: "array", items: { type: "string" }, "x-kubernetes-list-type": "foo" }),
  ).toEqual([
    'notSupported @.x-kubernetes-list-type: Unsupported value: "foo": supported values: "atomic", "set", "map"',
  ]);
});

test("a map type needs an object and one of two values", () => {
  expect(errorsOfField({ type: "string", "x-kubernetes-map-type": "atomic" })).toEqual([
    'invalid @.type: Invalid value: "string": must be object if x-kubernetes-map-type is specified',
  ]);
  expect(
    errorsOfField({ "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-map-type": "atomic" }),
  ).toEqual(["required @.type: Required value: must be object if x-kubernetes-map-type is specified"]);
  expect(errorsOfField({ type: "object", "x-kubernetes-map-type": "foo" })).toEqual([
    'notSupported @.x-kubernetes-map-type: Unsupported value: "foo": supported values: "atomic", "granular"',
  ]);
});

test("elements of a set must be atomic", () => {
  expect(
    errorsOfField({
      type: "array",
      items: { type: "object", properties: { a: { type: "string" } } },
      "x-kubernetes-list-type": "set",
    }),
  ).toEqual([
    "invalid @.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set",
  ]);
  expect(
    errorsOfField({
      type: "array",
      items: { type: "object", "x-kubernetes-map-type": "granular", properties: { a: { type: "string" } } },
      "x-kubernetes-list-type": "set",
    }),
  ).toEqual([
    "invalid @.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set",
  ]);
  expect(
    errorsOfField({
      type: "array",
      items: { type: "object", "x-kubernetes-map-type": "atomic", properties: { a: { type: "string" } } },
      "x-kubernetes-list-type": "set",
    }),
  ).toEqual([]);
  expect(
    errorsOfField({
      type: "array",
      items: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
      "x-kubernetes-list-type": "set",
    }),
  ).toEqual([
    'invalid @.items.x-kubernetes-list-type: Invalid value: "set": must be atomic as item of a list with x-kubernetes-list-type=set',
  ]);
  expect(
    errorsOfField({
      type: "array",
      items: { type: "array", items: { type: "string" } },
      "x-kubernetes-list-type": "set",
    }),
  ).toEqual([]);
});

test("a list of type map, and only that, needs keys", () => {
  expect(
    errorsOfField({
      type: "array",
      items: { type: "object", properties: { a: { type: "string" } } },
      "x-kubernetes-list-type": "map",
    }),
  ).toEqual([
    "required @.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map",
  ]);
  expect(
    errorsOfField({
      type: "array",
      items: { type: "object", properties: { a: { type: "string" } } },
      "x-kubernetes-list-map-keys": ["a"],
    }),
  ).toEqual([
    "required @.x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty",
  ]);
  expect(
    errorsOfField({
      type: "array",
      items: { type: "string" },
      "x-kubernetes-list-type": "set",
      "x-kubernetes-list-map-keys": ["a"],
    }),
  ).toEqual([
    'invalid @.x-kubernetes-list-type: Invalid value: "set": must be map if x-kubernetes-list-map-keys is non-empty',
  ]);
});

test("elements of a list of type map must be objects", () => {
  expect(
    errorsOfField({
      type: "array",
      items: { type: "string" },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["a"],
    }),
  ).toEqual([
    'invalid @.items.type: Invalid value: "string": must be object if parent array\'s x-kubernetes-list-type is map',
  ]);
  expect(
    errorsOfField({ type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"] }),
  ).toEqual([
    "required @.items: Required value: must be specified",
    "required @.items: Required value: must have a schema if x-kubernetes-list-type is map",
  ]);
});

test("keys must be declared scalars without duplicates", () => {
  expect(
    errorsOfField({
      type: "array",
      items: { type: "object", properties: { b: { type: "string" } } },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["a"],
    }),
  ).toEqual([
    'invalid @.x-kubernetes-list-map-keys: Invalid value: ["a"]: entries must all be names of item properties',
  ]);
  expect(
    errorsOfField({
      type: "array",
      items: { type: "object", required: ["a"], properties: { a: { type: "object" } } },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["a"],
    }),
  ).toEqual([
    'invalid @.items.properties[a].type: Invalid value: "object": must be a scalar type if parent array\'s x-kubernetes-list-type is map',
  ]);
  expect(
    errorsOfField({
      type: "array",
      items: { type: "object", required: ["a"], properties: { a: { type: "string" } } },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["a", "a"],
    }),
  ).toEqual([
    'invalid @.x-kubernetes-list-map-keys: Invalid value: ["a","a"]: must not contain duplicate entries',
  ]);
});

test("keys must be present in every element", () => {
  expect(
    errorsOfField({
      type: "array",
      items: { type: "object", properties: { a: { type: "string" } } },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["a"],
    }),
  ).toEqual([
    "required @.items.properties[a].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
  ]);
  expect(
    errorsOfField({
      type: "array",
      items: {
        type: "object",
        nullable: true,
        required: ["a"],
        properties: { a: { type: "string", nullable: true } },
      },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["a"],
    }),
  ).toEqual([
    "forbidden @.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is map",
    "forbidden @.items.properties[a].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable",
  ]);
  expect(
    errorsOfField({
      type: "array",
      items: { type: "string", nullable: true },
      "x-kubernetes-list-type": "set",
    }),
  ).toEqual(["forbidden @.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is set"]);
});
