import { fieldOf, goString, goValue, isArray, isObject, type JsonObject } from "../../schema/index.ts";
import { filterDeep, isNotNullField } from "./filter-deep.ts";
import { failed, malformed } from "./patch-error.ts";

const patchDirective = "$patch";
const retainKeys = "$retainKeys";
const setElementOrder = "$setElementOrder";
const deleteFromPrimitiveList = "$deleteFromPrimitiveList";

/** Returns true if the value has a `$patch` directive. */
export function isDirective(value: unknown): value is JsonObject {
  return isObject(value) && Object.hasOwn(value, patchDirective);
}

export function directiveOf(value: JsonObject): unknown {
  return fieldOf(value, patchDirective);
}

/** Returns the result of a patch with a `$patch` directive for the whole object. */
export function applyDirective(patch: JsonObject): JsonObject {
  const directive = directiveOf(patch);
  if (directive === "delete") return {};
  if (directive !== "replace") throw unknownDirective(patch);
  return withoutDirective(patch);
}

export function withoutDirective(patch: JsonObject): JsonObject {
  const { [patchDirective]: _, ...rest } = patch;
  return rest;
}

export function unknownDirective(patch: JsonObject): Error {
  return failed(`unknown patch type: ${goString(directiveOf(patch))} in map: ${goValue(patch)}`);
}

/**
 * Returns a copy of the fields that `$retainKeys` keeps, or of all fields without it. Throws if the patch sets a field
 * that it does not retain.
 */
export function applyRetainKeys(original: JsonObject, patch: JsonObject): Record<string, unknown> {
  if (!Object.hasOwn(patch, retainKeys)) return { ...original };
  const listed = patch[retainKeys];
  if (!isArray(listed)) throw malformed(wrongRetainKeys);
  const names = new Set(listed);
  const unlisted = Object.keys(patch).some((key) => setsField(patch, key) && !names.has(key));
  if (unlisted) throw malformed(wrongRetainKeys);
  return Object.fromEntries(Object.entries(original).filter(([key]) => names.has(key)));
}

const wrongRetainKeys = "invalid patch format of retainKeys";

function setsField(patch: JsonObject, key: string): boolean {
  const isDirectiveKey =
    key === retainKeys || key.startsWith(deleteFromPrimitiveList) || key.startsWith(setElementOrder);
  return !isDirectiveKey && patch[key] !== null;
}

/** Returns the `$setElementOrder` keys of a patch. */
export function orderKeys(patch: JsonObject): string[] {
  return Object.keys(patch).filter((key) => key.startsWith(setElementOrder));
}

/** Returns the list field of a `$setElementOrder` key. */
export function orderedField(key: string): string {
  if (key.startsWith(`${setElementOrder}/`)) return key.slice(setElementOrder.length + 1);
  throw malformed("invalid patch format of setElementOrder list");
}

/** The target of a key of a patch: a field, or the elements to delete from it. */
export interface PatchKey {
  readonly field: string;
  /** True if the value lists elements to delete (`$deleteFromPrimitiveList`). */
  readonly deletesElements: boolean;
}

/** Returns the keys that change fields, in patch order, without `$setElementOrder` and `$retainKeys`. */
export function fieldKeys(patch: JsonObject): string[] {
  return Object.keys(patch).filter((key) => key !== retainKeys && !key.startsWith(setElementOrder));
}

export function patchKey(key: string): PatchKey {
  if (!key.startsWith(deleteFromPrimitiveList)) return { field: key, deletesElements: false };
  const field = key.slice(deleteFromPrimitiveList.length + 1);
  if (!key.startsWith(`${deleteFromPrimitiveList}/`)) {
    throw malformed("invalid patch format of primitive list");
  }
  return { field: field === "" ? key : field, deletesElements: true };
}

/** Returns a new value of a field without nulls and directives. */
export function withoutNullsAndDirectives(value: unknown): unknown {
  return filterDeep(value, (inner, holder) => isNotNullField(inner, holder) && !hasNonNullDirective(inner));
}

/**
 * Returns true for a value with a directive that is not null. Nulls are removed first, and a null directive with them.
 */
export function hasNonNullDirective(value: unknown): boolean {
  return isDirective(value) && directiveOf(value) !== null;
}

/** Returns the elements without directives, also inside them. */
export function withoutDirectives(list: readonly unknown[]): readonly unknown[] {
  const kept = list.filter((element) => !isDirective(element));
  return kept.map((element) => filterDeep(element, (inner) => !isDirective(inner)));
}
