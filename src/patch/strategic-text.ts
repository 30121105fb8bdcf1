import { fieldOf, isArray, isObject, type JsonObject, type SchemaNode, setField } from "../schema/index.ts";
import { goText, goTypeOf } from "./go-words.ts";
import { withoutNulls } from "./sift.ts";
import {
  changingKeys,
  directiveOf,
  directsOnceNullsAreOut,
  isDirective,
  orderedField,
  orderKeys,
  type PatchKey,
  patchKey,
  retained,
  takenOver,
  withoutDirective,
} from "./strategic-directives.ts";
import { identityBy } from "./strategic-element.ts";
import { sortedOut } from "./strategic-list.ts";
import { fieldPlace, listPlace } from "./strategic-place.ts";

/**
 * A strategic merge patch as the server names it when its result is refused: what is left of it once it is merged,
 * without the directives and lists that are used up. Expects a patch that can be applied to the document.
 */
export function strategicPatchText(document: JsonObject, patch: JsonObject, node: SchemaNode): string {
  return goText(restOf(document, patch, node));
}

function restOf(original: JsonObject, patch: JsonObject, node: SchemaNode): JsonObject {
  if (isDirective(patch)) return directiveOf(patch) === "replace" ? withoutDirective(patch) : patch;
  const staying = retained(original, patch);
  const ordered = new Set(orderKeys(patch).map(orderedField));
  const rest: Record<string, unknown> = {};
  for (const key of changingKeys(patch)) {
    if (ordered.has(key)) continue;
    const merge = { ...patchKey(key), node };
    setField(rest, key, restOfValue(fieldOf(staying, merge.field), patch[key], merge));
  }
  return rest;
}

interface FieldMerge extends PatchKey {
  /** Of the object that the field is in. */
  readonly node: SchemaNode;
}

function restOfValue(current: unknown, value: unknown, merge: FieldMerge): unknown {
  if (value === null) return value;
  if (current === undefined || goTypeOf(current) !== goTypeOf(value))
    return merge.takesOut ? value : takenFrom(value);
  if (isObject(current) && isObject(value)) return restOfObject(current, value, merge);
  return isArray(current) && isArray(value) ? restOfList(current, value, merge) : value;
}

function restOfObject(current: JsonObject, patch: JsonObject, { node, field }: FieldMerge): JsonObject {
  const place = fieldPlace(node, field);
  return place.object?.patchStrategy.includes("replace") ? patch : restOf(current, patch, place);
}

function restOfList(current: readonly unknown[], patch: readonly unknown[], merge: FieldMerge): unknown {
  const { key, merges, items } = listPlace(merge.node, merge.field);
  if (key === undefined || !(merges || merge.takesOut)) return patch;
  const { plain, gone, replaces } = sortedOut(patch, identityBy(key));
  if (replaces) return patch;
  const staying = current.filter(isObject).filter((element) => !gone.has(element[key]));
  const byKey = new Map(staying.toReversed().map((element) => [element[key], element]));
  const rests = new Map<unknown, unknown>();
  for (const element of plain) {
    const found = byKey.get(element[key]);
    if (found) rests.set(element, restOf(found, element, items));
  }
  return patch.map((element) => rests.get(element) ?? element);
}

/** What is taken over loses its nulls and directives in the patch too; a list keeps its elements. */
function takenFrom(value: unknown): unknown {
  return isArray(value) ? value.map(elementOrValue) : elementOrValue(value);
}

function elementOrValue(value: unknown): unknown {
  return directsOnceNullsAreOut(value) ? withoutNulls(value) : takenOver(value);
}
