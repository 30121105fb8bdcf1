import { expect, test } from "vitest";
import { atomicNode, child, deducedNode, elementOf, type SchemaNode } from "./schema-node.ts";
import { structuralNode } from "./structural-node.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { objectMetaNode } from "./typed-node.ts";

function node(spec: StructuralSchema): SchemaNode {
  return child(structuralNode({ type: "object", properties: { spec } }), "spec") ?? {};
}

test("an object has the fields of its schema plus apiVersion, kind and metadata", () => {
  const root = structuralNode({ type: "object", properties: { spec: { type: "string" } } });
  expect([...(root.object?.fields.keys() ?? [])]).toEqual(["spec", "apiVersion", "kind", "metadata"]);
  expect(child(root, "metadata")).toBe(objectMetaNode());
  expect(child(root, "foo")).toBeUndefined();
});

test("lists and maps have the types of their extensions, atomic and granular by default", () => {
  const items: StructuralSchema = { type: "object", properties: { name: { type: "string", default: "x" } } };
  const list = node({
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
    items,
  });
  expect(list.list).toMatchObject({ type: "map", keys: ["name"], patchStrategy: [] });
  expect(child(elementOf(list) ?? {}, "name")?.default).toBe("x");
  expect(node({ type: "array", items }).list).toMatchObject({ type: "atomic", keys: [] });
  expect(node({ type: "object", "x-kubernetes-map-type": "atomic" }).object?.type).toBe("atomic");
  expect(node(items).object?.type).toBe("granular");
});

test("undeclared keys are unknown fields, map values, or deduced if they are preserved", () => {
  const text: StructuralSchema = { type: "string" };
  expect(child(node({ type: "object", properties: { a: text } }), "b")).toBeUndefined();
  expect(child(node({ type: "object", additionalProperties: text }), "b")?.scalar).toBe("string");
  expect(child(node({ type: "object", additionalProperties: true }), "b")).toBe(deducedNode);
  expect(child(node({ type: "object" }), "b")).toBe(deducedNode);
});

test("preserving unknown fields applies to everything below", () => {
  const preserving = node({
    type: "object",
    "x-kubernetes-preserve-unknown-fields": true,
    properties: { a: { type: "object", properties: { b: { type: "string" } } } },
  });
  expect(child(preserving, "x")).toBe(deducedNode);
  expect(child(child(preserving, "a") ?? {}, "x")).toBe(deducedNode);
});

test("a value without a type may be anything, an int-or-string only a scalar", () => {
  const any = node({ "x-kubernetes-preserve-unknown-fields": true });
  expect(any).toMatchObject({ scalar: "untyped" });
  expect(child(any, "x")).toBe(deducedNode);
  expect(elementOf(any)).toBe(atomicNode);
  const either = node({ "x-kubernetes-int-or-string": true });
  expect([either.scalar, either.object, either.list]).toEqual(["untyped", undefined, undefined]);
});

test("an embedded resource has apiVersion, kind and metadata", () => {
  const embedded = node({
    type: "object",
    "x-kubernetes-embedded-resource": true,
    properties: { spec: { type: "object" } },
  });
  expect(child(embedded, "metadata")).toBe(objectMetaNode());
  expect(child(embedded, "foo")).toBeUndefined();
});

test("a scalar has the type of its schema", () => {
  const scalars = (["string", "integer", "number", "boolean", "object", "array"] as const).map(
    (type) => node({ type }).scalar,
  );
  expect(scalars).toEqual(["string", "number", "number", "boolean", undefined, undefined]);
  expect(node({ type: "string", format: "date-time" }).scalar).toBe("untyped");
});
