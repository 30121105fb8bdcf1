import { expect, test } from "vitest";
import { applyDefaults } from "../decoding/apply-defaults.ts";
import { prune } from "../decoding/prune.ts";
import { structuralErrors } from "../rules/structural-errors.ts";
import type { StructuralSchema } from "../structure/structural-schema.ts";
import { compileSchema } from "./compile-schema.ts";
import { errorLines } from "./validate.fixture.ts";
import { validate } from "./validate.ts";

function nested(depth: number): StructuralSchema {
  let schema: StructuralSchema = { type: "integer", maximum: 1 };
  for (let level = 1; level < depth; level++) schema = { type: "object", properties: { a: schema } };
  return schema;
}

test("a schema nested too deeply is an error and does not overflow the stack", () => {
  for (const depth of [301, 10_000, 1_000_000]) {
    expect(() => compileSchema(nested(depth))).toThrow("expected a schema nested at most 300 deep");
    expect(errorLines(structuralErrors(nested(depth), "@"))).toEqual([
      "forbidden @: Forbidden: must not be nested deeper than 300",
    ]);
  }
});

test("the deepest schema validates the deepest value", () => {
  const schema = compileSchema(nested(300));
  let value: unknown = 2;
  for (let level = 1; level < 300; level++) value = { a: value, b: 1 };
  const pruned = prune(value, schema);
  expect(pruned.unknown).toHaveLength(299);
  const path = Array.from({ length: 299 }, () => "a").join(".");
  expect(errorLines(validate(applyDefaults(pruned.value, schema), schema))).toEqual([
    `invalid ${path}: Invalid value: 2: ${path} in body should be less than or equal to 1`,
  ]);
  expect(structuralErrors(nested(300), "@")).toEqual([]);
});

test("preserved fields may be nested to any depth", () => {
  const schema = compileSchema({ type: "object", "x-kubernetes-preserve-unknown-fields": true, enum: [{}] });
  let value: unknown = 1;
  for (let level = 0; level < 100_000; level++) value = { a: value };
  expect(applyDefaults(prune(value, schema).value, schema)).toBe(value);
  expect(validate(value, schema)).toHaveLength(1);
});

test("names with a meaning in JavaScript are plain fields", () => {
  const schema = compileSchema({
    type: "object",
    properties: JSON.parse('{"__proto__":{"type":"integer","default":1},"constructor":{"type":"string"}}'),
    required: ["toString", "constructor"],
  });
  const value = JSON.parse('{"valueOf":1}');
  expect(prune(value, schema)).toEqual({ value: {}, unknown: ["valueOf"] });
  expect(JSON.stringify(applyDefaults({}, schema))).toBe('{"__proto__":1}');
  expect(errorLines(validate(JSON.parse('{"__proto__":"x","hasOwnProperty":1}'), schema))).toEqual([
    'typeInvalid __proto__: Invalid value: "string": __proto__ in body must be of type integer: "string"',
    "required toString: Required value",
    "required constructor: Required value",
  ]);
});

test("an invalid pattern is an error", () => {
  expect(() => compileSchema({ type: "string", pattern: "(" })).toThrow(
    "error parsing regexp: missing closing )",
  );
});
