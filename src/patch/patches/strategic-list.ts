import { isObject, type JsonObject } from "../../schema/index.ts";
import { failed } from "./patch-error.ts";
import { type ListPatchMetadata, missingMergeKey } from "./patch-metadata.ts";
import { directiveOf, isDirective, unknownDirective } from "./strategic-directives.ts";
import { areObjects, type Identity, identityBy } from "./strategic-element.ts";
import { orderMerged } from "./strategic-order.ts";

export interface ListMerge {
  readonly original: readonly unknown[];
  readonly patch: readonly unknown[];
  readonly patchMetadata: ListPatchMetadata;
  /** True if the patch lists scalars to delete. Objects are merged anyway. @default false */
  readonly deletesElements?: boolean | undefined;
  mergeElements(original: JsonObject, patch: JsonObject): JsonObject;
}

export interface MergedList {
  readonly elements: readonly unknown[];
  /** The elements in the order the server has them after the merge, for `$setElementOrder`. */
  readonly serverOrder: readonly unknown[];
}

/** Merges lists of scalars as sets, and lists of objects by their merge key. */
export function mergeLists(merge: ListMerge): MergedList {
  const { original, patch, patchMetadata, deletesElements } = merge;
  if (original.length + patch.length === 0) return { elements: original, serverOrder: original };
  if (!areObjects(original, patch)) return deletesElements ? deleteElements(original, patch) : unite(merge);
  if (patchMetadata.key === undefined) throw missingMergeKey("merge", patchMetadata);
  return mergeByKey(merge, identityBy(patchMetadata.key));
}

function deleteElements(original: readonly unknown[], listed: readonly unknown[]): MergedList {
  const deleted = new Set(listed);
  return { elements: original.filter((element) => !deleted.has(element)), serverOrder: original };
}

function unite({ original, patch, patchMetadata }: ListMerge): MergedList {
  const united = [...new Set([...original, ...patch])];
  const elements = orderMerged(
    united,
    { patchOrder: patch, serverOrder: original },
    identityBy(patchMetadata.key),
  );
  return { elements, serverOrder: original };
}

function mergeByKey(merge: ListMerge, identity: Identity): MergedList {
  const { plain, deletedKeys, replaces } = partitionPatch(merge.patch, identity);
  const remaining = merge.original.filter(
    (element) => !deletedKeys.has(keyOf(element, merge.patchMetadata.key)),
  );
  if (replaces)
    return {
      elements: orderMerged(plain, { patchOrder: [], serverOrder: plain }, identity),
      serverOrder: remaining,
    };
  const { merged, added } = mergeInto(remaining, plain, { ...merge, identity });
  const elements = orderMerged(merged, { patchOrder: plain, serverOrder: remaining }, identity);
  // New elements reuse the slots of deleted ones and thereby enter the server's order. This is an accident of
  // kube-apiserver that clients can see.
  return {
    elements,
    serverOrder: [...remaining, ...added.slice(0, merge.original.length - remaining.length)],
  };
}

/** The elements of a patch by purpose. */
export interface PartitionedPatch {
  /** Elements to merge or add. */
  readonly plain: readonly JsonObject[];
  /** Keys of elements to delete. */
  readonly deletedKeys: ReadonlySet<unknown>;
  /** True if the patch replaces the whole list. */
  readonly replaces: boolean;
}

export function partitionPatch(patch: readonly unknown[], identity: Identity): PartitionedPatch {
  const plain = patch.filter(isObject).filter((element) => !isDirective(element));
  const deletedKeys = new Set<unknown>();
  let replaces = false;
  for (const element of patch.filter(isDirective)) {
    if (directiveOf(element) === "delete") deletedKeys.add(identity(element));
    else replaces = requireReplace(element);
  }
  return { plain, deletedKeys, replaces };
}

function requireReplace(patch: JsonObject): true {
  const directive = directiveOf(patch);
  if (directive === "replace") return true;
  if (directive === "merge") throw failed("merging lists cannot yet be specified in the patch");
  throw unknownDirective(patch);
}

interface ElementMerge extends ListMerge {
  readonly identity: Identity;
}

interface MergedElements {
  readonly merged: readonly unknown[];
  /** Elements of the patch without an existing element of the same key. */
  readonly added: readonly unknown[];
}

/** Merges each element of the patch into the first one with its key, or adds it. */
function mergeInto(
  original: readonly unknown[],
  patch: readonly JsonObject[],
  { patchMetadata: { key }, identity, mergeElements }: ElementMerge,
): MergedElements {
  const merged = [...original];
  const indexes = new Map<unknown, number>();
  for (const [index, element] of original.entries()) {
    if (!indexes.has(keyOf(element, key))) indexes.set(keyOf(element, key), index);
  }
  for (const element of patch) {
    const index = indexes.get(identity(element));
    const found = index === undefined ? undefined : merged[index];
    if (index !== undefined && isObject(found)) merged[index] = mergeElements(found, element);
    else indexes.set(identity(element), merged.push(element) - 1);
  }
  return { merged, added: merged.slice(original.length) };
}

/** Returns the value of the merge key, or `undefined` for a stored element without one. */
function keyOf(element: unknown, key: string | undefined): unknown {
  return isObject(element) && key !== undefined && Object.hasOwn(element, key) ? element[key] : undefined;
}
