import {
  deducedNode,
  isObject,
  type JsonObject,
  type ListNode,
  type ObjectNode,
  type SchemaNode,
} from "../../schema/index.ts";
import { type FieldElement, fieldElement } from "../values/field-element.ts";
import { elementsIn } from "../values/list-elements.ts";
import { listOrEmpty, objectOrEmpty, shapeOf } from "../values/shape.ts";
import { requireDepth } from "../values/typed-error.ts";
import { FieldSet } from "./field-set.ts";

/**
 * Returns the paths that a value sets: the fields that a manager owns if it applies the value.
 *
 * The set contains scalars and atomic values, elements of sets and map lists and the paths inside them, keys of maps,
 * and fields that are null or an empty object. It does not contain objects that only hold such paths, or empty lists of
 * type `set` or `map`. Repeated elements are one path each, without paths inside.
 */
export function fieldsOf(value: unknown, node: SchemaNode): FieldSet {
  return walk(value, node, 0);
}

function walk(value: unknown, node: SchemaNode, depth: number): FieldSet {
  requireDepth(depth);
  const shape = shapeOf(node, value);
  if (shape === "object" && node.object) return inObject(objectOrEmpty(value), node.object, depth);
  if (shape === "list" && node.list) return inList(listOrEmpty(value), node.list, depth);
  return leaf;
}

function inObject(object: JsonObject, node: ObjectNode, depth: number): FieldSet {
  if (node.type === "atomic") return leaf;
  const children = new Map<FieldElement, FieldSet>();
  for (const key of Object.keys(object)) {
    const declared = node.fields.get(key);
    const value = object[key];
    const fields = walk(value, declared ?? node.values ?? deducedNode, depth + 1);
    const set = !declared || isBlank(value) ? withSelf(fields) : fields;
    if (!set.isEmpty) children.set(fieldElement(key), set);
  }
  return new FieldSet(false, children);
}

function isBlank(value: unknown): boolean {
  return value === null || (isObject(value) && Object.keys(value).length === 0);
}

function inList(list: readonly unknown[], node: ListNode, depth: number): FieldSet {
  if (node.type === "atomic") return leaf;
  const children = new Map<FieldElement, FieldSet>();
  for (const [index, element] of elementsIn(list, node).entries()) {
    const repeated = children.has(element);
    children.set(element, repeated ? leaf : withSelf(walk(list[index], node.items, depth + 1)));
  }
  return new FieldSet(false, children);
}

function withSelf(set: FieldSet): FieldSet {
  return set.self ? set : new FieldSet(true, set.children);
}

const leaf: FieldSet = new FieldSet(true, new Map());
