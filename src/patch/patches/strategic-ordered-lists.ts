import {
  fieldOf,
  goValue,
  isArray,
  isObject,
  type JsonObject,
  type SchemaNode,
  setField,
} from "../../schema/index.ts";
import { failed } from "./patch-error.ts";
import { type ListPatchMetadata, lookupList, missingMergeKey } from "./patch-metadata.ts";
import {
  directiveOf,
  isDirective,
  orderedField,
  orderKeys,
  withoutDirectives,
} from "./strategic-directives.ts";
import { areObjects, type Identity, identityBy, wrongType } from "./strategic-element.ts";
import { type ListMerge, type MergedList, mergeLists } from "./strategic-list.ts";
import { orderMerged } from "./strategic-order.ts";

export interface ObjectMerge {
  /** A copy created for this patch, which receives the merged fields. */
  readonly target: Record<string, unknown>;
  readonly patch: JsonObject;
  readonly node: SchemaNode;
}

/** Merges two objects of a declared type. */
export type MergeObjects = (original: JsonObject, patch: JsonObject, node: SchemaNode) => JsonObject;

/** Merges and orders the lists with a `$setElementOrder` in the patch. Returns the names of the merged fields. */
export function mergeOrderedLists(merge: ObjectMerge, mergeObjects: MergeObjects): ReadonlySet<string> {
  const fields = orderKeys(merge.patch).filter((key) => mergeOrderedList(merge, key, mergeObjects));
  return new Set(fields.map(orderedField));
}

/** Returns true if there was a list to order. */
function mergeOrderedList(merge: ObjectMerge, key: string, mergeObjects: MergeObjects): boolean {
  const order = requireList(merge.patch[key]);
  const field = orderedField(key);
  const original = listAt(merge.target, field);
  const patch = listAt(merge.patch, field);
  const patchMetadata = lookupList(merge.node, field);
  requireMatchingOrder(patch ?? [], order, patchMetadata.key);
  if (!original && !patch) return false;
  const mergeElements: ListMerge["mergeElements"] = (one, other) =>
    mergeObjects(one, other, patchMetadata.items);
  const merged = mergedList({ original, patch, patchMetadata, mergeElements });
  setField(merge.target, field, inOrder(merged, { original, patch, patchMetadata, order }));
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
  readonly patchMetadata: ListPatchMetadata;
}

interface MergingLists extends Lists {
  readonly mergeElements: ListMerge["mergeElements"];
}

function mergedList({ original, patch, patchMetadata, mergeElements }: MergingLists): MergedList {
  if (!patch) return { elements: original ?? [], serverOrder: original ?? [] };
  if (!original) return { elements: withoutDirectives(patch), serverOrder: [] };
  if (!patchMetadata.merges) return { elements: patch, serverOrder: original };
  return mergeLists({ original, patch, patchMetadata, mergeElements });
}

interface OrderedLists extends Lists {
  readonly order: readonly unknown[];
}

function inOrder(
  { elements, serverOrder }: MergedList,
  { original, patch, patchMetadata, order }: OrderedLists,
): unknown[] {
  const identity = identityBy(patchMetadata.key);
  if (patchMetadata.key !== undefined) requireLookups(elements, order, identity);
  if (areObjects(original ?? [], patch ?? []) && patchMetadata.key === undefined)
    throw missingMergeKey("order", patchMetadata);
  return orderMerged(elements, { patchOrder: order, serverOrder }, identity);
}

/** Looks up every element in the order. Like kube-apiserver, it fails if a non-object comes before a match. */
function requireLookups(elements: readonly unknown[], order: readonly unknown[], identity: Identity): void {
  const ids = elements.map(identity);
  const firstNonObject = order.findIndex((each) => !isObject(each));
  if (firstNonObject < 0) return;
  const before = new Set(order.slice(0, firstNonObject).map(identity));
  if (!ids.every((id) => before.has(id))) throw failed(`value for key ${firstNonObject} is not a map`);
}

/** Requires that the order contains the elements that the patch adds or changes, in the same order. */
function requireMatchingOrder(
  patch: readonly unknown[],
  order: readonly unknown[],
  key: string | undefined,
): void {
  if (patch.length === 0 || order.length === 0) return;
  const identity = identityBy(key);
  const remaining = key === undefined ? patch : patch.filter((element) => !deletes(element));
  let checked = 0;
  for (let patchMetadata = 0; checked < remaining.length && patchMetadata < order.length; ) {
    const element = remaining[checked];
    const skipped = isDirective(element);
    if (skipped || identity(element) === identity(order[patchMetadata])) checked += 1;
    if (!skipped) patchMetadata += 1;
  }
  if (checked < remaining.length) throw wrongOrder(patch, order);
}

function deletes(element: unknown): boolean {
  if (!isObject(element)) throw wrongType("map[string]interface {}", element);
  return directiveOf(element) === "delete";
}

function wrongOrder(patch: readonly unknown[], order: readonly unknown[]): Error {
  return failed(
    `The order in patch list:\n${goValue(patch)}\n doesn't match $setElementOrder list:\n${goValue(order)}\n`,
  );
}
