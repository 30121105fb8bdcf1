import { isArray, isObject, type JsonObject, type SchemaNode } from "../schema/index.ts";

/** As what a value is taken at its place. */
export type Shape = "object" | "list" | "scalar";

/**
 * The value's own shape where the schema allows it; otherwise, and for null and what is absent, the first of object,
 * scalar and list that the schema allows.
 */
export function shapeOf(node: SchemaNode, value: unknown): Shape {
  const own = ownShape(value);
  if (own !== undefined && node[own] !== undefined) return own;
  if (node.object) return "object";
  return node.scalar === undefined && node.list ? "list" : "scalar";
}

function ownShape(value: unknown): Shape | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== "object") return "scalar";
  return isArray(value) ? "list" : "object";
}

/** The object, or an empty one for anything else. */
export function objectIn(value: unknown): JsonObject {
  return isObject(value) ? value : noFields;
}

/** The list, or an empty one for anything else. */
export function listIn(value: unknown): readonly unknown[] {
  return isArray(value) ? value : noElements;
}

const noFields: JsonObject = {};
const noElements: readonly unknown[] = [];
