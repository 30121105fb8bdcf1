import {
  fieldOf,
  goTypeName,
  goValue,
  isArray,
  isObject,
  type JsonObject,
  type SchemaNode,
  setField,
} from "../../schema/index.ts";
import { withoutNulls } from "./filter-deep.ts";
import { lookupField, lookupList } from "./patch-metadata.ts";
import {
  applyRetainKeys,
  directiveOf,
  fieldKeys,
  hasNonNullDirective,
  isDirective,
  orderedField,
  orderKeys,
  type PatchKey,
  patchKey,
  withoutDirective,
  withoutNullsAndDirectives,
} from "./strategic-directives.ts";
import { identityBy } from "./strategic-element.ts";
import { partitionPatch } from "./strategic-list.ts";

/**
 * Formats a strategic merge patch like the server does when it refuses the result: the rest of the patch after the
 * merge, which has consumed directives and ordered lists. Expects a patch that applies to the document.
 */
export function strategicPatchText(document: JsonObject, patch: JsonObject, node: SchemaNode): string {
  return goValue(restOf(document, patch, node));
}

function restOf(original: JsonObject, patch: JsonObject, node: SchemaNode): JsonObject {
  if (isDirective(patch)) return directiveOf(patch) === "replace" ? withoutDirective(patch) : patch;
  const remaining = applyRetainKeys(original, patch);
  const ordered = new Set(orderKeys(patch).map(orderedField));
  const rest: Record<string, unknown> = {};
  for (const key of fieldKeys(patch)) {
    if (ordered.has(key)) continue;
    const merge = { ...patchKey(key), node };
    setField(rest, key, restOfValue(fieldOf(remaining, merge.field), patch[key], merge));
  }
  return rest;
}

interface FieldMerge extends PatchKey {
  /** The schema of the object that contains the field. */
  readonly node: SchemaNode;
}

function restOfValue(current: unknown, value: unknown, merge: FieldMerge): unknown {
  if (value === null) return value;
  if (current === undefined || goTypeName(current) !== goTypeName(value))
    return merge.deletesElements ? value : cleanNewValue(value);
  if (isObject(current) && isObject(value)) return restOfObject(current, value, merge);
  return isArray(current) && isArray(value) ? restOfList(current, value, merge) : value;
}

function restOfObject(current: JsonObject, patch: JsonObject, { node, field }: FieldMerge): JsonObject {
  const fieldNode = lookupField(node, field);
  return fieldNode.object?.patchStrategy.includes("replace") ? patch : restOf(current, patch, fieldNode);
}

function restOfList(current: readonly unknown[], patch: readonly unknown[], merge: FieldMerge): unknown {
  const { key, merges, items } = lookupList(merge.node, merge.field);
  if (key === undefined || !(merges || merge.deletesElements)) return patch;
  const { plain, deletedKeys, replaces } = partitionPatch(patch, identityBy(key));
  if (replaces) return patch;
  const remaining = current.filter(isObject).filter((element) => !deletedKeys.has(element[key]));
  const byKey = new Map(remaining.toReversed().map((element) => [element[key], element]));
  const rests = new Map<unknown, unknown>();
  for (const element of plain) {
    const found = byKey.get(element[key]);
    if (found) rests.set(element, restOf(found, element, items));
  }
  return patch.map((element) => rests.get(element) ?? element);
}

/**
 * Returns a new value without nulls and directives, which the server removes from the patch too. A list keeps its
 * elements.
 */
function cleanNewValue(value: unknown): unknown {
  return isArray(value) ? value.map(cleanValue) : cleanValue(value);
}

function cleanValue(value: unknown): unknown {
  return hasNonNullDirective(value) ? withoutNulls(value) : withoutNullsAndDirectives(value);
}
