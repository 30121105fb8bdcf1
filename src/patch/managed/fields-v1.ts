import { isObject } from "../../schema/index.ts";
import { type FieldElement, isInOrder, parseElement, sortElements } from "../values/field-element.ts";
import { requireDepth, TypedError } from "../values/typed-error.ts";
import { FieldSet } from "./field-set.ts";

/** The `fieldsV1` of an entry of `managedFields`, with keys in the server's order. */
export type FieldsV1 = Record<string, unknown>;

/**
 * Parses `fieldsV1` of any client, in any order and spacing. Drops steps of an unknown type.
 *
 * @throws {TypedError} if the value is not a set of fields
 */
export function parseFields(fields: unknown): FieldSet {
  const text = textOf(fields);
  const cached = text === undefined ? undefined : parsed.get(text);
  if (cached) return cached;
  const set = new FieldSet(false, parseNode(fields, 0).children);
  if (text !== undefined) remember(text, set);
  return set;
}

/** Recently parsed sets by their JSON. Objects from the same template have equal sets for a long time. */
const parsed = new Map<string, FieldSet>();
const maxParsed = 256;
const maxTextLength = 16 * 1024;

function remember(text: string, set: FieldSet): void {
  if (parsed.size >= maxParsed) parsed.clear();
  parsed.set(text, set);
}

/**
 * Returns the JSON as a cache key, or `undefined` if it is too long or the value, which comes from a client, has no
 * JSON.
 */
function textOf(fields: unknown): string | undefined {
  try {
    const text: string | undefined = JSON.stringify(fields);
    return text !== undefined && text.length <= maxTextLength ? text : undefined;
  } catch {
    return undefined;
  }
}

function parseNode(fields: unknown, depth: number): FieldSet {
  requireDepth(depth);
  if (!isObject(fields)) {
    throw new TypedError(`expected an object as a set of fields, got ${JSON.stringify(fields)}`);
  }
  const keys = Object.keys(fields);
  if (keys.length === 0) return FieldSet.leaf;
  const children = new Map<FieldElement, FieldSet>();
  for (const key of keys) {
    const element = key === "." ? undefined : parseElement(key);
    if (element !== undefined) children.set(element, parseNode(fields[key], depth + 1));
  }
  // A step without children denotes its own path.
  const set = new FieldSet(children.size === 0 || Object.hasOwn(fields, "."), children);
  if (printsAs(fields, set)) printed.set(set, fields);
  return set;
}

/** The source of sets that print exactly like it. Most parsed sets are written back unchanged. */
const printed = new WeakMap<FieldSet, FieldsV1>();

/** Returns true if a set prints exactly like its source, as far as a cheap check can decide. */
function printsAs(fields: FieldsV1, { self, children }: FieldSet): boolean {
  const keys = Object.keys(fields).slice(self ? 1 : 0);
  if (children.size === 0 || children.size !== keys.length || !isInOrder(keys)) return false;
  if (self && !isBlank(fields["."])) return false;
  return keys.every((key) => {
    const below = children.get(key as FieldElement); // A key in another notation is not found.
    return below === FieldSet.leaf || (below !== undefined && printed.has(below));
  });
}

function isBlank(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** Encodes a set: `{"f:metadata":{"f:labels":{".":{},"f:app":{}}}}`. */
export function printFields(set: FieldSet): FieldsV1 {
  const cached = printed.get(set);
  if (cached) return cached;
  const fields: FieldsV1 = {};
  if (set.self && set.children.size > 0) fields["."] = {};
  if (set.children.size === 0) return fields;
  for (const element of sortElements(set.children.keys())) {
    fields[element] = printFields(set.children.get(element) ?? FieldSet.empty);
  }
  return fields;
}
