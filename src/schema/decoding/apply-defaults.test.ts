import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonValues, structuralSchemas } from "../schema.fixture.ts";
import type { StructuralSchema } from "../structure/structural-schema.ts";
import { compileSchema } from "../validation/compile-schema.ts";
import { validate } from "../validation/validate.ts";
import { applyDefaults } from "./apply-defaults.ts";

function filled(value: unknown, schema: StructuralSchema): unknown {
  return applyDefaults(value, compileSchema(schema));
}

function object(properties: Record<string, StructuralSchema>): StructuralSchema {
  return { type: "object", properties };
}

test("a missing field and a disallowed null get the default", () => {
  const schema = object({
    a: { type: "string", default: "x" },
    b: { type: "string", nullable: true, default: "y" },
    c: { type: "string", nullable: true },
    d: { type: "string" },
  });
  expect(filled({}, schema)).toEqual({ a: "x", b: "y" });
  expect(filled({ a: null, b: null, c: null, d: null }, schema)).toEqual({ a: "x", b: null, c: null });
});

test("keepNulls keeps a disallowed null without a default", () => {
  const schema = compileSchema(object({ a: { type: "string", default: "x" }, d: { type: "string" } }));
  expect(applyDefaults({ a: null, d: null }, schema, { keepNulls: true })).toEqual({ a: "x", d: null });
});

test("defaults that are false, zero or empty are set", () => {
  const schema = object({
    a: { type: "boolean", default: false },
    b: { type: "integer", default: 0 },
    c: { type: "string", default: "" },
    d: { type: "array", items: { type: "string" }, default: [] },
  });
  expect(filled({}, schema)).toEqual({ a: false, b: 0, c: "", d: [] });
});

test("an object is created for the defaults of its fields only if it has a default itself", () => {
  const inner = { p: { type: "integer", default: 5 } } as const;
  expect(filled({}, object({ o: object(inner) }))).toEqual({});
  expect(filled({ o: {} }, object({ o: object(inner) }))).toEqual({ o: { p: 5 } });
  expect(filled({ o: null }, object({ o: { ...object(inner), default: {} } }))).toEqual({ o: { p: 5 } });
});

test("defaults are set in list elements, and a null element is replaced only by a default", () => {
  const schema = object({
    l: { type: "array", items: object({ a: { type: "string", default: "x" } }) },
    m: { type: "array", items: { type: "string", default: "d" } },
    n: { type: "array", items: { type: "string" } },
  });
  expect(filled({ l: [{}, { a: "1" }, { a: null }], m: ["a", null], n: [null] }, schema)).toEqual({
    l: [{ a: "x" }, { a: "1" }, { a: "x" }],
    m: ["a", "d"],
    n: [null],
  });
});

test("defaults are set in map values, and disallowed nulls are removed", () => {
  const schema = object({
    m: { type: "object", additionalProperties: object({ a: { type: "string", default: "x" } }) },
    n: { type: "object", additionalProperties: { type: "string", default: "d" } },
    p: { type: "object", additionalProperties: { type: "string", nullable: true, default: "d" } },
  });
  const value = { m: { k: {}, j: { a: null }, i: null }, n: { a: null, b: "x" }, p: { a: null } };
  expect(filled(value, schema)).toEqual({
    m: { k: { a: "x" }, j: { a: "x" } },
    n: { a: "d", b: "x" },
    p: { a: null },
  });
});

test("nulls under undeclared keys stay, and a declared field that preserves unknown fields loses its own null", () => {
  const schema = object({
    o: { ...object({}), "x-kubernetes-preserve-unknown-fields": true },
    u: { "x-kubernetes-preserve-unknown-fields": true },
  });
  expect(filled({ o: { z: null }, u: null }, schema)).toEqual({ o: { z: null } });
});

test("two values do not share a default", () => {
  const schema = compileSchema(object({ l: { type: "array", items: { type: "string" }, default: ["x"] } }));
  const one = applyDefaults({}, schema) as { l: string[] };
  one.l.push("y");
  expect(applyDefaults({}, schema)).toEqual({ l: ["x"] });
});

test("setting defaults twice changes nothing, and the input is not modified", () => {
  fc.assert(
    fc.property(structuralSchemas(), jsonValues(), (schema, value) => {
      const compiled = compileSchema(schema);
      const before = structuredClone(value);
      const once = applyDefaults(value, compiled);
      expect(value).toEqual(before);
      expect(applyDefaults(once, compiled)).toBe(once);
    }),
  );
});

test("setting defaults adds no error", () => {
  fc.assert(
    fc.property(structuralSchemas(), jsonValues(), (schema, value) => {
      const compiled = compileSchema(schema);
      const before = validate(value, compiled);
      const after = validate(applyDefaults(value, compiled), compiled);
      expect(before).toEqual(expect.arrayContaining(after));
    }),
  );
});
