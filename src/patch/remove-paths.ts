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
} from "../schema/index.ts";
import { fieldElement } from "./field-element.ts";
import type { FieldSet } from "./field-set.ts";
import { elementsIn } from "./list-elements.ts";
import { shapeOf } from "./shape.ts";

/**
 * The value without the places of a set: fields, elements of sets and map lists, and all that is in them.
 *
 * What loses all it had becomes null, and so does an atomic value of which a part is named. Shares with the value what
 * stays the same.
 */
export function removePaths(value: unknown, set: FieldSet, node: SchemaNode): unknown {
  if (set.isEmpty) return value;
  const shape = shapeOf(node, value);
  if (shape === "object" && node.object) return fromObject(value, set, node.object);
  return shape === "list" && node.list ? fromList(value, set, node.list) : value;
}

function fromObject(value: unknown, set: FieldSet, node: ObjectNode): JsonObject | null {
  if (!isObject(value) || node.type === "atomic") return null;
  const kept: Record<string, unknown> = {};
  let count = 0;
  for (const key of Object.keys(value)) {
    const below = set.children.get(fieldElement(key));
    if (below?.self) continue;
    setField(
      kept,
      key,
      below ? removePaths(value[key], below, child({ object: node }, key) ?? deducedNode) : value[key],
    );
    count++;
  }
  return count > 0 ? kept : null;
}

function fromList(value: unknown, set: FieldSet, node: ListNode): readonly unknown[] | null {
  if (!isArray(value) || node.type === "atomic") return null;
  const elements = elementsIn(value, node);
  const kept = value.flatMap((each, index) => {
    const element = elements[index];
    const below = element === undefined ? undefined : set.children.get(element);
    if (below?.self) return [];
    return [below ? removePaths(each, below, node.items) : each];
  });
  return kept.length > 0 ? kept : null;
}
