import {
  fieldOf,
  goTypeName,
  isArray,
  isObject,
  type JsonObject,
  jsonTypeName,
  type SchemaNode,
  setField,
} from "../../schema/index.ts";
import { malformed } from "./patch-error.ts";
import { lookupField, lookupList } from "./patch-metadata.ts";
import {
  applyDirective,
  applyRetainKeys,
  fieldKeys,
  hasNonNullDirective,
  isDirective,
  type PatchKey,
  patchKey,
  withoutNullsAndDirectives,
} from "./strategic-directives.ts";
import { type ListMerge, mergeLists } from "./strategic-list.ts";
import { mergeOrderedLists, type ObjectMerge } from "./strategic-ordered-lists.ts";

/**
 * Applies a strategic merge patch.
 *
 * Merges objects by field; a null removes a field. Replaces lists, or merges them by the merge key in `node`.
 * Directives: `$patch` (`replace`, `delete`) in an object or an element, `$retainKeys`, `$setElementOrder/<list>`,
 * `$deleteFromPrimitiveList/<list>`. As in kube-apiserver, directives have no effect inside new values. They stay there
 * as unknown fields, except for values with `$patch` outside new elements, which are dropped. The result shares
 * unchanged parts with its arguments.
 *
 * @throws {PatchError} if the patch is invalid or does not fit
 */
export function applyStrategicPatch(document: JsonObject, patch: unknown, node: SchemaNode): JsonObject {
  if (patch === null) return document;
  if (isObject(patch)) return mergeObjects(document, patch, node);
  const type = jsonTypeName(patch);
  throw malformed(`json: cannot unmarshal ${type} into Go value of type map[string]interface {}`);
}

/** Recurses only into declared fields, so the depth is bounded by the schema. */
function mergeObjects(original: JsonObject, patch: JsonObject, node: SchemaNode): JsonObject {
  if (isDirective(patch)) return applyDirective(patch);
  const merge: ObjectMerge = { target: applyRetainKeys(original, patch), patch, node };
  const orderedFields = mergeOrderedLists(merge, mergeObjects);
  for (const key of fieldKeys(patch)) if (!orderedFields.has(key)) mergeKey(merge, key);
  return merge.target;
}

function mergeKey({ target, patch, node }: ObjectMerge, key: string): void {
  const { field, deletesElements } = patchKey(key);
  const [current, value] = [fieldOf(target, field), patch[key]];
  if (value === null) delete target[field];
  else if (current !== undefined && goTypeName(current) === goTypeName(value))
    setField(target, field, mergedValue(current, value, { node, field, deletesElements }));
  else if (!deletesElements) setNewValue(target, field, value);
}

/** Sets a field that had no value of this type. A value that is only a directive deletes the field. */
function setNewValue(target: Record<string, unknown>, field: string, value: unknown): void {
  if (hasNonNullDirective(value)) delete target[field];
  else setField(target, field, withoutNullsAndDirectives(value));
}

interface FieldMerge extends PatchKey {
  /** The schema of the object that contains the field. */
  readonly node: SchemaNode;
}

/** Returns the merge of two values of the same type. */
function mergedValue(current: unknown, patch: unknown, merge: FieldMerge): unknown {
  if (isObject(current) && isObject(patch)) return mergedObject(current, patch, merge);
  if (isArray(current) && isArray(patch)) return mergedList(current, patch, merge);
  return patch;
}

function mergedObject(current: JsonObject, patch: JsonObject, { node, field }: FieldMerge): JsonObject {
  const fieldNode = lookupField(node, field);
  return fieldNode.object?.patchStrategy.includes("replace")
    ? patch
    : mergeObjects(current, patch, fieldNode);
}

function mergedList(original: List, patch: List, { node, field, deletesElements }: FieldMerge): List {
  const patchMetadata = lookupList(node, field);
  if (!patchMetadata.merges && !deletesElements) return patch;
  const mergeElements: ListMerge["mergeElements"] = (one, other) =>
    mergeObjects(one, other, patchMetadata.items);
  return mergeLists({ original, patch, patchMetadata, deletesElements, mergeElements }).elements;
}

type List = readonly unknown[];
