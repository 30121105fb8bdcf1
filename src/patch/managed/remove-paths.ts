import {
  child,
  deducedNode,
  isArray,
  isObject,
  type JsonObject,
  type ListNode,
  type ObjectNode,
  type SchemaNode,
  setField,
} from "../../schema/index.ts";
import { fieldElement } from "../values/field-element.ts";
import { elementsIn } from "../values/list-elements.ts";
import { shapeOf } from "../values/shape.ts";
import type { FieldSet } from "./field-set.ts";

/**
 * Returns the value without the paths of a set: fields, elements of sets and map lists, and everything in them.
 *
 * A container that loses everything becomes null, and so does an atomic value if the set contains a part of it. The
 * result shares unchanged parts with the value.
 */
export function removePaths(value: unknown, set: FieldSet, node: SchemaNode): unknown {
  if (set.isEmpty) return value;
  const shape = shapeOf(node, value);
  if (shape === "object" && node.object) return removeFromObject(value, set, node.object);
  return shape === "list" && node.list ? removeFromList(value, set, node.list) : value;
}

function removeFromObject(value: unknown, set: FieldSet, node: ObjectNode): JsonObject | null {
  if (!isObject(value) || node.type === "atomic") return null;
  const remaining: Record<string, unknown> = {};
  let count = 0;
  for (const key of Object.keys(value)) {
    const below = set.children.get(fieldElement(key));
    if (below?.self) continue;
    setField(
      remaining,
      key,
      below ? removePaths(value[key], below, child({ object: node }, key) ?? deducedNode) : value[key],
    );
    count++;
  }
  return count > 0 ? remaining : null;
}

function removeFromList(value: unknown, set: FieldSet, node: ListNode): readonly unknown[] | null {
  if (!isArray(value) || node.type === "atomic") return null;
  const elements = elementsIn(value, node);
  const remaining = value.flatMap((each, index) => {
    const element = elements[index];
    const below = element === undefined ? undefined : set.children.get(element);
    if (below?.self) return [];
    return [below ? removePaths(each, below, node.items) : each];
  });
  return remaining.length > 0 ? remaining : null;
}
