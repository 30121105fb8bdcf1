import { fieldOf, isArray, isObject, type JsonObject, type SchemaNode, setField } from "../schema/index.ts";
import { goTypeOf, jsonWord } from "./go-words.ts";
import { malformed } from "./patch-error.ts";
import {
  changingKeys,
  directed,
  directsOnceNullsAreOut,
  isDirective,
  type PatchKey,
  patchKey,
  retained,
  takenOver,
} from "./strategic-directives.ts";
import { type ListMerge, mergeLists } from "./strategic-list.ts";
import { mergeOrderedLists, type ObjectMerge } from "./strategic-ordered-lists.ts";
import { fieldPlace, listPlace } from "./strategic-place.ts";

/**
 * The document after a strategic merge patch, or a `PatchError`.
 *
 * Objects are merged field by field, a null removes one. Lists are replaced, or merged by the key that `node` names.
 * Directives: `$patch` (`replace`, `delete`) in an object or an element, `$retainKeys`, `$setElementOrder/<list>`,
 * `$deleteFromPrimitiveList/<list>`. As in the real server, they direct nothing inside what is new: there they stay, as
 * fields that the kind has not, apart from values with `$patch` outside new elements, which are left out. The result
 * shares with its arguments what did not change.
 */
export function applyStrategicPatch(document: JsonObject, patch: unknown, node: SchemaNode): JsonObject {
  if (patch === null) return document;
  if (isObject(patch)) return mergeObjects(document, patch, node);
  const type = jsonWord(patch);
  throw malformed(`json: cannot unmarshal ${type} into Go value of type map[string]interface {}`);
}

/** Calls itself only for what the structure declares, so no deeper than structures are. */
function mergeObjects(original: JsonObject, patch: JsonObject, node: SchemaNode): JsonObject {
  if (isDirective(patch)) return directed(patch);
  const merge: ObjectMerge = { target: retained(original, patch), patch, node };
  const done = mergeOrderedLists(merge, mergeObjects);
  for (const key of changingKeys(patch)) if (!done.has(key)) mergeKey(merge, key);
  return merge.target;
}

function mergeKey({ target, patch, node }: ObjectMerge, key: string): void {
  const { field, takesOut } = patchKey(key);
  const [current, value] = [fieldOf(target, field), patch[key]];
  if (value === null) delete target[field];
  else if (current !== undefined && goTypeOf(current) === goTypeOf(value))
    setField(target, field, mergedValue(current, value, { node, field, takesOut }));
  else if (!takesOut) takeOver(target, field, value);
}

/** Takes a value where nothing of its type was. One that only directs takes away what was there. */
function takeOver(target: Record<string, unknown>, field: string, value: unknown): void {
  if (directsOnceNullsAreOut(value)) delete target[field];
  else setField(target, field, takenOver(value));
}

interface FieldMerge extends PatchKey {
  /** Of the object that the field is in. */
  readonly node: SchemaNode;
}

/** What becomes of two values of one type. */
function mergedValue(current: unknown, patch: unknown, merge: FieldMerge): unknown {
  if (isObject(current) && isObject(patch)) return mergedObject(current, patch, merge);
  if (isArray(current) && isArray(patch)) return mergedList(current, patch, merge);
  return patch;
}

function mergedObject(current: JsonObject, patch: JsonObject, { node, field }: FieldMerge): JsonObject {
  const place = fieldPlace(node, field);
  return place.object?.patchStrategy.includes("replace") ? patch : mergeObjects(current, patch, place);
}

function mergedList(original: List, patch: List, { node, field, takesOut }: FieldMerge): List {
  const place = listPlace(node, field);
  if (!place.merges && !takesOut) return patch;
  const mergeElements: ListMerge["mergeElements"] = (one, other) => mergeObjects(one, other, place.items);
  return mergeLists({ original, patch, place, takesOut, mergeElements }).elements;
}

type List = readonly unknown[];
