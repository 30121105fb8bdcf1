import fc from "fast-check";
import { expect, test } from "vitest";
import { compileSchema } from "./compile-schema.ts";
import { applyDefaults } from "./defaults.ts";
import { jsonValues, structuralSchemas } from "./schema.fixture.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { validate } from "./validate.ts";

function filled(value: unknown, schema: StructuralSchema): unknown {
  return applyDefaults(value, compileSchema(schema));
}

function object(properties: Record<string, StructuralSchema>): StructuralSchema {
  return { type: "object", properties };
}

test("a missing field gets its default, and so does a null that may not stand", () => {
  const schema = object({
    a: { type: "string", default: "x" },
    b: { type: "string", nullable: true, default: "y" },
    c: { type: "string", nullable: true },
    d: { type: "string" },
  });
  expect(filled({}, schema)).toEqual({ a: "x", b: "y" });
  expect(filled({ a: null, b: null, c: null, d: null }, schema)).toEqual({ a: "x", b: null, c: null });
});

test("a null that may not stand and has no default stays where that is asked for", () => {
  const schema = compileSchema(object({ a: { type: "string", default: "x" }, d: { type: "string" } }));
  expect(applyDefaults({ a: null, d: null }, schema, { keepNulls: true })).toEqual({ a: "x", d: null });
});

test("defaults that are false, zero or empty count", () => {
  const schema = object({
    a: { type: "boolean", default: false },
    b: { type: "integer", default: 0 },
    c: { type: "string", default: "" },
    d: { type: "array", items: { type: "string" }, default: [] },
  });
  expect(filled({}, schema)).toEqual({ a: false, b: 0, c: "", d: [] });
});

test("an object is not made to hold the defaults of its fields, unless it has a default itself", () => {
  const inner = { p: { type: "integer", default: 5 } } as const;
  expect(filled({}, object({ o: object(inner) }))).toEqual({});
  expect(filled({ o: {} }, object({ o: object(inner) }))).toEqual({ o: { p: 5 } });
  expect(filled({ o: null }, object({ o: { ...object(inner), default: {} } }))).toEqual({ o: { p: 5 } });
});

test("elements of lists are filled in, and a null element is replaced only by a default", () => {
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

test("values of maps are filled in, and nulls among them go where they may not stand", () => {
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

test("nulls under undeclared keys stay, a declared field that preserves anything loses its own", () => {
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

test("filling in what is filled in changes nothing, and the value given is never changed", () => {
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

test("filling in adds no error", () => {
  fc.assert(
    fc.property(structuralSchemas(), jsonValues(), (schema, value) => {
      const compiled = compileSchema(schema);
      const before = validate(value, compiled);
      const after = validate(applyDefaults(value, compiled), compiled);
      expect(before).toEqual(expect.arrayContaining(after));
    }),
  );
});
