import { isObject } from "../schema/index.ts";
import { type FieldElement, isInOrder, parseElement, sortElements } from "./field-element.ts";
import { FieldSet } from "./field-set.ts";
import { requireDepth, TypedError } from "./typed-error.ts";

/** A set of fields as it stands in `managedFields`. Its keys are in the server's order. */
export type FieldsV1 = Record<string, unknown>;

/**
 * Reads what `printFields` writes, and what other programs write: any order, any spacing, and steps of a sort that is
 * not known, which are left out. Throws for what is no set of fields.
 */
export function parseFields(fields: unknown): FieldSet {
  const text = textOf(fields);
  const known = text === undefined ? undefined : parsed.get(text);
  if (known) return known;
  const set = new FieldSet(false, parseNode(fields, 0).children);
  if (text !== undefined) remember(text, set);
  return set;
}

/** What was read of late, by its text: objects that are made alike have the same sets, and keep them for long. */
const parsed = new Map<string, FieldSet>();
const mostParsed = 256;
const longestText = 16 * 1024;

function remember(text: string, set: FieldSet): void {
  if (parsed.size >= mostParsed) parsed.clear();
  parsed.set(text, set);
}

/** Nothing for what is not worth keeping, or has none: a client may have sent anything. */
function textOf(fields: unknown): string | undefined {
  try {
    const text: string | undefined = JSON.stringify(fields);
    return text !== undefined && text.length <= longestText ? text : undefined;
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
  // A step that leads nowhere stands for its own place.
  const set = new FieldSet(children.size === 0 || Object.hasOwn(fields, "."), children);
  if (isAsPrinted(fields, set)) printed.set(set, fields);
  return set;
}

/** What sets were read from, where that is how they are printed: most of what is read is written again as it was. */
const printed = new WeakMap<FieldSet, FieldsV1>();

/** Whether a set is printed as what it was read from, as far as that is seen at once. */
function isAsPrinted(fields: FieldsV1, { self, children }: FieldSet): boolean {
  const keys = Object.keys(fields).slice(self ? 1 : 0);
  if (children.size === 0 || children.size !== keys.length || !isInOrder(keys)) return false;
  if (self && !isBlank(fields["."])) return false;
  return keys.every((key) => {
    const below = children.get(key as FieldElement); // Nothing is found under a key that is written in another way.
    return below === FieldSet.leaf || (below !== undefined && printed.has(below));
  });
}

function isBlank(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** `{"f:metadata":{"f:labels":{".":{},"f:app":{}}}}` */
export function printFields(set: FieldSet): FieldsV1 {
  const known = printed.get(set);
  if (known) return known;
  const fields: FieldsV1 = {};
  if (set.self && set.children.size > 0) fields["."] = {};
  if (set.children.size === 0) return fields;
  for (const element of sortElements(set.children.keys())) {
    fields[element] = printFields(set.children.get(element) ?? FieldSet.empty);
  }
  return fields;
}
