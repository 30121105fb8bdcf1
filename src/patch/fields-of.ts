import {
  deducedNode,
  isObject,
  type JsonObject,
  type ListNode,
  type ObjectNode,
  type SchemaNode,
} from "../schema/index.ts";
import { type FieldElement, fieldElement } from "./field-element.ts";
import { FieldSet } from "./field-set.ts";
import { elementsIn } from "./list-elements.ts";
import { listIn, objectIn, shapeOf } from "./shape.ts";
import { requireDepth } from "./typed-error.ts";

/**
 * The places a value sets: what somebody owns who applies it.
 *
 * Scalars and whatever is atomic; the elements of sets and map lists, and what is inside them; the keys of maps; and
 * fields that are null or an empty object. Not in the set are objects that merely hold such places, and empty lists
 * that could be merged. Elements that repeat count as one place each, with nothing inside.
 */
export function fieldsOf(value: unknown, node: SchemaNode): FieldSet {
  return walk(value, node, 0);
}

function walk(value: unknown, node: SchemaNode, depth: number): FieldSet {
  requireDepth(depth);
  const shape = shapeOf(node, value);
  if (shape === "object" && node.object) return inObject(objectIn(value), node.object, depth);
  if (shape === "list" && node.list) return inList(listIn(value), node.list, depth);
  return itself;
}

function inObject(object: JsonObject, node: ObjectNode, depth: number): FieldSet {
  if (node.type === "atomic") return itself;
  const children = new Map<FieldElement, FieldSet>();
  for (const key of Object.keys(object)) {
    const declared = node.fields.get(key);
    const value = object[key];
    const fields = walk(value, declared ?? node.values ?? deducedNode, depth + 1);
    const set = !declared || isBlank(value) ? withItself(fields) : fields;
    if (!set.isEmpty) children.set(fieldElement(key), set);
  }
  return new FieldSet(false, children);
}

function isBlank(value: unknown): boolean {
  return value === null || (isObject(value) && Object.keys(value).length === 0);
}

function inList(list: readonly unknown[], node: ListNode, depth: number): FieldSet {
  if (node.type === "atomic") return itself;
  const children = new Map<FieldElement, FieldSet>();
  for (const [index, element] of elementsIn(list, node).entries()) {
    const repeated = children.has(element);
    children.set(element, repeated ? itself : withItself(walk(list[index], node.items, depth + 1)));
  }
  return new FieldSet(false, children);
}

function withItself(set: FieldSet): FieldSet {
  return set.self ? set : new FieldSet(true, set.children);
}

const itself: FieldSet = new FieldSet(true, new Map());
