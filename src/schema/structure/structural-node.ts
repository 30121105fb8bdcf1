import {
  atomicNode,
  deducedNode,
  type ListNode,
  type ObjectNode,
  type ScalarType,
  type SchemaNode,
} from "./schema-node.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { objectMetaNode } from "./typed-node.ts";

/** Returns the node of a custom kind for merging and field ownership, from the schema of its version. */
export function structuralNode(schema: StructuralSchema): SchemaNode {
  return new StructuralNode({ ...schema, "x-kubernetes-embedded-resource": true }, false);
}

/**
 * Creates a node. `preserving` is true if a schema above preserves unknown fields, which applies to everything below.
 */
function nodeOf(schema: StructuralSchema, preserving: boolean): SchemaNode {
  return new StructuralNode(schema, preserving);
}

class StructuralNode implements SchemaNode {
  readonly scalar: ScalarType | undefined;
  readonly default: unknown;
  readonly #schema: StructuralSchema;
  readonly #preserving: boolean;
  #object: ObjectNode | undefined;
  #list: ListNode | undefined;

  constructor(schema: StructuralSchema, preserving: boolean) {
    this.scalar = scalarOf(schema);
    this.default = schema.default ?? undefined;
    this.#schema = schema;
    this.#preserving = preserving || (schema["x-kubernetes-preserve-unknown-fields"] ?? false);
  }

  get object(): ObjectNode | undefined {
    if (!mayBe("object", this.#schema)) return undefined;
    this.#object ??= objectNode(this.#schema, this.#preserving);
    return this.#object;
  }

  get list(): ListNode | undefined {
    if (!mayBe("array", this.#schema)) return undefined;
    this.#list ??= listNode(this.#schema, this.#preserving);
    return this.#list;
  }
}

function mayBe(type: "object" | "array", schema: StructuralSchema): boolean {
  return isUntyped(schema) || (schema.type === type && !schema["x-kubernetes-int-or-string"]);
}

function isUntyped(schema: StructuralSchema): boolean {
  return schema.type === undefined && !schema["x-kubernetes-int-or-string"];
}

function scalarOf(schema: StructuralSchema): ScalarType | undefined {
  if (isUntyped(schema) || schema["x-kubernetes-int-or-string"]) return "untyped";
  switch (schema.type) {
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "string":
      return schema.format === undefined || schema.format === "byte" ? "string" : "untyped";
    default:
      return undefined;
  }
}

function objectNode(schema: StructuralSchema, preserving: boolean): ObjectNode {
  const fields = new Map(
    Object.entries(schema.properties ?? {}).map(([name, field]) => [name, nodeOf(field, preserving)]),
  );
  if (schema["x-kubernetes-embedded-resource"]) declareMeta(fields);
  return {
    fields,
    values: valuesOf(schema, preserving),
    type: schema["x-kubernetes-map-type"] ?? "granular",
    patchStrategy: [],
  };
}

/** Declares the fields that every resource has, regardless of its schema. */
function declareMeta(fields: Map<string, SchemaNode>): void {
  fields.set("apiVersion", stringNode);
  fields.set("kind", stringNode);
  fields.set("metadata", objectMetaNode());
}

const stringNode: SchemaNode = { scalar: "string" };

function valuesOf(schema: StructuralSchema, preserving: boolean): SchemaNode | undefined {
  const { additionalProperties, properties = {} } = schema;
  if (typeof additionalProperties === "object") return nodeOf(additionalProperties, preserving);
  if (additionalProperties !== undefined) return additionalProperties ? deducedNode : undefined;
  const declared = Object.keys(properties).length > 0 || schema["x-kubernetes-embedded-resource"];
  return preserving || !declared ? deducedNode : undefined;
}

function listNode(schema: StructuralSchema, preserving: boolean): ListNode {
  return {
    items: schema.items ? nodeOf(schema.items, preserving) : atomicNode,
    type: schema["x-kubernetes-list-type"] ?? "atomic",
    keys: schema["x-kubernetes-list-map-keys"] ?? [],
    patchStrategy: [],
  };
}
