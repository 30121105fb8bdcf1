import {
  deducedNode,
  type JsonObject,
  type ListNode,
  type ScalarType,
  type SchemaNode,
} from "../../schema/index.ts";
import { type FieldPath, fieldElement } from "../values/field-element.ts";
import { FieldSet } from "./field-set.ts";

/**
 * Returns an object of a kind with a field of every type. The comments of the fields name the CustomResourceDefinition
 * extension.
 */
export function thing(spec: JsonObject, rest: JsonObject = {}): JsonObject {
  return { apiVersion: "example.dev/v1", kind: "Thing", metadata: { name: "a" }, spec, ...rest };
}

/** Returns the path of these fields. */
export function path(...names: readonly string[]): FieldPath {
  return names.map(fieldElement);
}

/** The fields that a write to the main resource and a write to its status reset. */
export const resetByMain: FieldSet = FieldSet.of(path("status"));
export const resetByStatus: FieldSet = FieldSet.of(path("spec"), path("metadata", "labels"));

const text = scalar("string");

const metadata: SchemaNode = struct({
  name: text,
  namespace: text,
  uid: text,
  resourceVersion: text,
  generation: scalar("number"),
  creationTimestamp: text,
  labels: mapOf(text),
  annotations: mapOf(text),
  finalizers: list("set", text),
  managedFields: list("atomic", deducedNode),
});

export const specNode: SchemaNode = struct({
  replicas: scalar("number"),
  text,
  flag: scalar("boolean"),
  /** x-kubernetes-int-or-string */
  amount: scalar("untyped"),
  set: list("set", text),
  numbers: list("set", scalar("number")),
  list: list("atomic", struct({ a: text, b: text })),
  items: list("map", struct({ name: text, value: text, tags: mapOf(text), set: list("set", text) }), [
    "name",
  ]),
  ports: list("map", struct({ port: scalar("number"), protocol: { ...text, default: "TCP" }, value: text }), [
    "port",
    "protocol",
  ]),
  map: mapOf(text),
  maps: mapOf(struct({ a: text, b: text })),
  struct: struct({ a: text, b: struct({ c: text, d: text }) }),
  /** x-kubernetes-map-type: atomic */
  atomic: struct({ a: text, b: text }, "atomic"),
  /** x-kubernetes-preserve-unknown-fields */
  free: deducedNode,
});

export const thingNode: SchemaNode = struct({
  apiVersion: text,
  kind: text,
  metadata,
  spec: specNode,
  status: struct({
    phase: text,
    conditions: list("map", struct({ type: text, status: text }), ["type"]),
  }),
});

export const configMapNode: SchemaNode = struct({
  apiVersion: text,
  kind: text,
  metadata,
  immutable: scalar("boolean"),
  data: mapOf(text),
  binaryData: mapOf(text),
});

export function scalar(type: ScalarType): SchemaNode {
  return { scalar: type };
}

export function struct(
  fields: Readonly<Record<string, SchemaNode>>,
  type: "granular" | "atomic" = "granular",
): SchemaNode {
  return { object: { fields: new Map(Object.entries(fields)), type, patchStrategy: [] } };
}

export function mapOf(values: SchemaNode): SchemaNode {
  return { object: { fields: new Map(), values, type: "granular", patchStrategy: [] } };
}

export function list(type: ListNode["type"], items: SchemaNode, keys: readonly string[] = []): SchemaNode {
  return { list: { type, items, keys, patchStrategy: [] } };
}
