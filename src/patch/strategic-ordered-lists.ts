import { fieldOf, isArray, isObject, type JsonObject, type SchemaNode, setField } from "../schema/index.ts";
import { goText } from "./go-words.ts";
import { failed } from "./patch-error.ts";
import {
  directiveOf,
  isDirective,
  orderedField,
  orderKeys,
  withoutDirectives,
} from "./strategic-directives.ts";
import { areObjects, type Identity, identityBy, wrongType } from "./strategic-element.ts";
import { type ListMerge, type MergedList, mergeLists } from "./strategic-list.ts";
import { arranged } from "./strategic-order.ts";
import { type ListPlace, listPlace, withoutKey } from "./strategic-place.ts";

export interface ObjectMerge {
  /** A copy made for this patch: what the fields become is set in it. */
  readonly target: Record<string, unknown>;
  readonly patch: JsonObject;
  readonly node: SchemaNode;
}

/** Merges two objects of a structure. */
export type MergeObjects = (original: JsonObject, patch: JsonObject, node: SchemaNode) => JsonObject;

/** Merges and orders the lists that a patch has `$setElementOrder` for. Returns the names of those it is done with. */
export function mergeOrderedLists(merge: ObjectMerge, mergeObjects: MergeObjects): ReadonlySet<string> {
  const fields = orderKeys(merge.patch).filter((key) => mergeOrderedList(merge, key, mergeObjects));
  return new Set(fields.map(orderedField));
}

/** Returns whether there is a list to order. */
function mergeOrderedList(merge: ObjectMerge, key: string, mergeObjects: MergeObjects): boolean {
  const order = requireList(merge.patch[key]);
  const field = orderedField(key);
  const original = listAt(merge.target, field);
  const patch = listAt(merge.patch, field);
  const place = listPlace(merge.node, field);
  requireOrder(patch ?? [], order, place.key);
  if (!original && !patch) return false;
  const mergeElements: ListMerge["mergeElements"] = (one, other) => mergeObjects(one, other, place.items);
  const merged = mergedList({ original, patch, place, mergeElements });
  setField(merge.target, field, inOrder(merged, { original, patch, place, order }));
  return true;
}

function requireList(value: unknown): readonly unknown[] {
  if (isArray(value)) return value;
  throw wrongType("[]interface {}", value);
}

function listAt(object: JsonObject, field: string): readonly unknown[] | undefined {
  return Object.hasOwn(object, field) ? requireList(fieldOf(object, field)) : undefined;
}

interface Lists {
  readonly original: readonly unknown[] | undefined;
  readonly patch: readonly unknown[] | undefined;
  readonly place: ListPlace;
}

interface MergingLists extends Lists {
  readonly mergeElements: ListMerge["mergeElements"];
}

function mergedList({ original, patch, place, mergeElements }: MergingLists): MergedList {
  if (!patch) return { elements: original ?? [], known: original ?? [] };
  if (!original) return { elements: withoutDirectives(patch), known: [] };
  if (!place.merges) return { elements: patch, known: original };
  return mergeLists({ original, patch, place, mergeElements });
}

interface OrderedLists extends Lists {
  readonly order: readonly unknown[];
}

function inOrder(
  { elements, known }: MergedList,
  { original, patch, place, order }: OrderedLists,
): unknown[] {
  const identity = identityBy(place.key);
  if (place.key !== undefined) requireOrdering(elements, order, identity);
  if (areObjects(original ?? [], patch ?? []) && place.key === undefined) throw withoutKey("order", place);
  return arranged(elements, { wanted: order, known }, identity);
}

/** Every element is looked up in the order, which ends in a failure where something else than objects comes first. */
function requireOrdering(elements: readonly unknown[], order: readonly unknown[], identity: Identity): void {
  const ids = elements.map(identity);
  const stranger = order.findIndex((each) => !isObject(each));
  if (stranger < 0) return;
  const before = new Set(order.slice(0, stranger).map(identity));
  if (!ids.every((id) => before.has(id))) throw failed(`value for key ${stranger} is not a map`);
}

/** All that the patch adds or changes must be in the order, in the same order. */
function requireOrder(patch: readonly unknown[], order: readonly unknown[], key: string | undefined): void {
  if (patch.length === 0 || order.length === 0) return;
  const identity = identityBy(key);
  const staying = key === undefined ? patch : patch.filter((element) => !deletes(element));
  let checked = 0;
  for (let place = 0; checked < staying.length && place < order.length; ) {
    const element = staying[checked];
    const skipped = isDirective(element);
    if (skipped || identity(element) === identity(order[place])) checked += 1;
    if (!skipped) place += 1;
  }
  if (checked < staying.length) throw wrongOrder(patch, order);
}

function deletes(element: unknown): boolean {
  if (!isObject(element)) throw wrongType("map[string]interface {}", element);
  return directiveOf(element) === "delete";
}

function wrongOrder(patch: readonly unknown[], order: readonly unknown[]): Error {
  return failed(
    `The order in patch list:\n${goText(patch)}\n doesn't match $setElementOrder list:\n${goText(order)}\n`,
  );
}
