import { isArray, isObject, type JsonObject, type SchemaNode } from "../../schema/index.ts";

/** The shape as which a value is treated. */
export type Shape = "object" | "list" | "scalar";

/**
 * Returns the shape of the value if the schema allows it. Otherwise, and for null and a missing value, returns the
 * first of object, scalar and list that the schema allows.
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

/** Returns the value if it is an object, otherwise an empty object. */
export function objectOrEmpty(value: unknown): JsonObject {
  return isObject(value) ? value : noFields;
}

/** Returns the value if it is a list, otherwise an empty list. */
export function listOrEmpty(value: unknown): readonly unknown[] {
  return isArray(value) ? value : noElements;
}

const noFields: JsonObject = {};
const noElements: readonly unknown[] = [];
