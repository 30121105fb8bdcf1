import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonValues, structuralSchemas } from "../schema.fixture.ts";
import type { StructuralSchema } from "../structure/structural-schema.ts";
import { compileSchema } from "../validation/compile-schema.ts";
import { prune } from "./prune.ts";

const b: StructuralSchema = { type: "object", properties: { b: { type: "integer" } } };

test("undeclared fields are removed at every depth, and their paths are reported in order", () => {
  const schema = compileSchema({
    type: "object",
    properties: { a: b, l: { type: "array", items: b }, m: { type: "object", additionalProperties: b } },
  });
  const value = {
    x: 1,
    a: { b: 1, c: 2 },
    l: [{ b: 1, c: 1 }, { d: { e: 1 } }],
    m: { k: { b: 1, z: 1 } },
    'q"': 1,
  };
  expect(prune(value, schema)).toEqual({
    value: { a: { b: 1 }, l: [{ b: 1 }, {}], m: { k: { b: 1 } } },
    unknown: ["a.c", "l[0].c", "l[1].d", "m.k.z", 'q"', "x"],
  });
});

test("preserved fields stay with their content, and declared fields beside them are pruned", () => {
  const schema = compileSchema({
    type: "object",
    "x-kubernetes-preserve-unknown-fields": true,
    properties: { a: b },
  });
  expect(prune({ x: { y: { z: null } }, a: { b: 1, c: 2 } }, schema)).toEqual({
    value: { x: { y: { z: null } }, a: { b: 1 } },
    unknown: ["a.c"],
  });
});

test("a list that preserves unknown fields preserves them in its elements", () => {
  const schema = compileSchema({
    type: "array",
    "x-kubernetes-preserve-unknown-fields": true,
    items: { type: "object", properties: { a: b } },
  });
  expect(prune([{ x: 1, a: { c: 1 } }], schema)).toEqual({ value: [{ x: 1, a: {} }], unknown: ["[0].a.c"] });
});

test("fields of objects in a map of any values are removed", () => {
  const schema = compileSchema({ type: "object", additionalProperties: true });
  expect(prune({ a: { b: 1 }, c: 1, d: [{ e: 1 }], n: null }, schema)).toEqual({
    value: { a: {}, c: 1, d: [{}], n: null },
    unknown: ["a.b", "d[0].e"],
  });
});

test("an embedded resource keeps apiVersion, kind and metadata", () => {
  const schema = compileSchema({
    type: "object",
    properties: { f: { type: "object", "x-kubernetes-embedded-resource": true, properties: { spec: b } } },
  });
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { any: 1 }, spec: { b: 1, c: 2 }, other: 1 };
  expect(prune({ f: pod }, schema)).toEqual({
    value: { f: { apiVersion: "v1", kind: "Pod", metadata: { any: 1 }, spec: { b: 1 } } },
    unknown: ["f.other", "f.spec.c"],
  });
});

test("a whole object keeps apiVersion, kind and metadata, a part of one does not", () => {
  const schema = compileSchema({ type: "object", properties: { spec: b } });
  const value = { apiVersion: "a/v1", kind: "Foo", metadata: { name: "x" }, spec: {} };
  expect(prune(value, schema, { resource: true }).value).toBe(value);
  expect(prune(value, schema).value).toEqual({ spec: {} });
});

test("pruning twice changes nothing, and the input is not modified", () => {
  fc.assert(
    fc.property(structuralSchemas(), jsonValues(), (schema, value) => {
      const compiled = compileSchema(schema);
      const before = structuredClone(value);
      const once = prune(value, compiled);
      expect(value).toEqual(before);
      expect(prune(once.value, compiled)).toEqual({ value: once.value, unknown: [] });
    }),
  );
});
