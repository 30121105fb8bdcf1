import { type FieldElement, parseElement, sortElements } from "./field-element.ts";
import { FieldSet } from "./field-set.ts";
import { isObject } from "./json-value.ts";
import { requireDepth, TypedError } from "./typed-error.ts";

/** A set of fields as it stands in `managedFields`. Its keys are in the server's order. */
export type FieldsV1 = Record<string, unknown>;

/**
 * Reads what `printFields` writes, and what other programs write: any order, any spacing, and steps of a sort that is
 * not known, which are left out. Throws for what is no set of fields.
 */
export function parseFields(fields: unknown): FieldSet {
  const { children } = parseNode(fields, 0);
  return new FieldSet(false, children);
}

function parseNode(fields: unknown, depth: number): FieldSet {
  requireDepth(depth);
  if (!isObject(fields)) {
    throw new TypedError(`expected an object as a set of fields, got ${JSON.stringify(fields)}`);
  }
  const children = new Map<FieldElement, FieldSet>();
  for (const [key, below] of Object.entries(fields)) {
    const element = key === "." ? undefined : parseElement(key);
    if (element !== undefined) children.set(element, parseNode(below, depth + 1));
  }
  // A step that leads nowhere stands for its own place.
  return new FieldSet(children.size === 0 || Object.hasOwn(fields, "."), children);
}

/** `{"f:metadata":{"f:labels":{".":{},"f:app":{}}}}` */
export function printFields(set: FieldSet): FieldsV1 {
  const printed: FieldsV1 = {};
  if (set.self && set.children.size > 0) printed["."] = {};
  for (const element of sortElements(set.children.keys())) {
    printed[element] = printFields(set.children.get(element) ?? FieldSet.empty);
  }
  return printed;
}
