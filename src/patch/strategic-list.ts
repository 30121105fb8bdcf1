import { isObject, type JsonObject } from "../schema/index.ts";
import { failed } from "./patch-error.ts";
import { directiveOf, isDirective, unknownDirective } from "./strategic-directives.ts";
import { areObjects, type Identity, identityBy } from "./strategic-element.ts";
import { arranged } from "./strategic-order.ts";
import { type ListPlace, withoutKey } from "./strategic-place.ts";

export interface ListMerge {
  readonly original: readonly unknown[];
  readonly patch: readonly unknown[];
  readonly place: ListPlace;
  /** The patch lists scalars to take out. Objects are merged all the same. @default false */
  readonly takesOut?: boolean | undefined;
  mergeElements(original: JsonObject, patch: JsonObject): JsonObject;
}

export interface MergedList {
  readonly elements: readonly unknown[];
  /** The order in which the server knows elements after the merge, for who orders them anew. */
  readonly known: readonly unknown[];
}

/** Merges lists of scalars as sets, and lists of objects by their merge key. */
export function mergeLists(merge: ListMerge): MergedList {
  const { original, patch, place, takesOut } = merge;
  if (original.length + patch.length === 0) return { elements: original, known: original };
  if (!areObjects(original, patch)) return takesOut ? takeOut(original, patch) : unite(merge);
  if (place.key === undefined) throw withoutKey("merge", place);
  return mergeByKey(merge, identityBy(place.key));
}

function takeOut(original: readonly unknown[], listed: readonly unknown[]): MergedList {
  const gone = new Set(listed);
  return { elements: original.filter((element) => !gone.has(element)), known: original };
}

function unite({ original, patch, place }: ListMerge): MergedList {
  const united = [...new Set([...original, ...patch])];
  const elements = arranged(united, { wanted: patch, known: original }, identityBy(place.key));
  return { elements, known: original };
}

function mergeByKey(merge: ListMerge, identity: Identity): MergedList {
  const { plain, gone, replaces } = sortedOut(merge.patch, identity);
  const staying = merge.original.filter((element) => !gone.has(keyOf(element, merge.place.key)));
  if (replaces) return { elements: arranged(plain, { wanted: [], known: plain }, identity), known: staying };
  const { merged, added } = mergeInto(staying, plain, { ...merge, identity });
  const elements = arranged(merged, { wanted: plain, known: staying }, identity);
  // New elements take the slots of those that went, and so become known. This is an accident, and seen by clients.
  return { elements, known: [...staying, ...added.slice(0, merge.original.length - staying.length)] };
}

/** The elements of a patch by what they are for. */
export interface SortedOut {
  /** To be merged or added. */
  readonly plain: readonly JsonObject[];
  /** The keys of elements to delete. */
  readonly gone: ReadonlySet<unknown>;
  /** Only what the patch has stays. */
  readonly replaces: boolean;
}

export function sortedOut(patch: readonly unknown[], identity: Identity): SortedOut {
  const plain = patch.filter(isObject).filter((element) => !isDirective(element));
  const gone = new Set<unknown>();
  let replaces = false;
  for (const element of patch.filter(isDirective)) {
    if (directiveOf(element) === "delete") gone.add(identity(element));
    else replaces = requireReplace(element);
  }
  return { plain, gone, replaces };
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
  /** Those that nothing of the same key was there for. */
  readonly added: readonly unknown[];
}

/** Each element of the patch is merged into the first that has its key, or added. */
function mergeInto(
  original: readonly unknown[],
  patch: readonly JsonObject[],
  { place: { key }, identity, mergeElements }: ElementMerge,
): MergedElements {
  const merged = [...original];
  const places = new Map<unknown, number>();
  for (const [at, element] of original.entries()) {
    if (!places.has(keyOf(element, key))) places.set(keyOf(element, key), at);
  }
  for (const element of patch) {
    const at = places.get(identity(element));
    const found = at === undefined ? undefined : merged[at];
    if (at !== undefined && isObject(found)) merged[at] = mergeElements(found, element);
    else places.set(identity(element), merged.push(element) - 1);
  }
  return { merged, added: merged.slice(original.length) };
}

/** The value of the merge key, or `undefined` for an element of the server that has none. */
function keyOf(element: unknown, key: string | undefined): unknown {
  return isObject(element) && key !== undefined && Object.hasOwn(element, key) ? element[key] : undefined;
}
