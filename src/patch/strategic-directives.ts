import { fieldOf, isArray, isObject, type JsonObject } from "../schema/index.ts";
import { goText, textOf } from "./go-words.ts";
import { failed, malformed } from "./patch-error.ts";
import { isNoNullField, sift } from "./sift.ts";

const patchDirective = "$patch";
const retainKeys = "$retainKeys";
const setElementOrder = "$setElementOrder";
const deleteFromPrimitiveList = "$deleteFromPrimitiveList";

/** Whether the value says what to do with its place instead of what stands there. */
export function isDirective(value: unknown): value is JsonObject {
  return isObject(value) && Object.hasOwn(value, patchDirective);
}

export function directiveOf(value: JsonObject): unknown {
  return fieldOf(value, patchDirective);
}

/** What an object becomes by a patch with a directive for the whole of it. */
export function directed(patch: JsonObject): JsonObject {
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
  return failed(`unknown patch type: ${textOf(directiveOf(patch))} in map: ${goText(patch)}`);
}

/** A copy of the fields that stay: all, or those that the patch retains. Throws where it sets others than it retains. */
export function retained(original: JsonObject, patch: JsonObject): Record<string, unknown> {
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
  const directs =
    key === retainKeys || key.startsWith(deleteFromPrimitiveList) || key.startsWith(setElementOrder);
  return !directs && patch[key] !== null;
}

/** The keys by which a patch orders lists, whatever is behind the slash. */
export function orderKeys(patch: JsonObject): string[] {
  return Object.keys(patch).filter((key) => key.startsWith(setElementOrder));
}

/** The list that a key of `orderKeys` is about. */
export function orderedField(key: string): string {
  if (key.startsWith(`${setElementOrder}/`)) return key.slice(setElementOrder.length + 1);
  throw malformed("invalid patch format of setElementOrder list");
}

/** What a key of a patch is about: a field, or what to take out of one. */
export interface PatchKey {
  readonly field: string;
  /** The value names elements to take out. */
  readonly takesOut: boolean;
}

/** The keys that change fields, in the order of the patch: not those that order lists or retain fields. */
export function changingKeys(patch: JsonObject): string[] {
  return Object.keys(patch).filter((key) => key !== retainKeys && !key.startsWith(setElementOrder));
}

export function patchKey(key: string): PatchKey {
  if (!key.startsWith(deleteFromPrimitiveList)) return { field: key, takesOut: false };
  const field = key.slice(deleteFromPrimitiveList.length + 1);
  if (!key.startsWith(`${deleteFromPrimitiveList}/`)) {
    throw malformed("invalid patch format of primitive list");
  }
  return { field: field === "" ? key : field, takesOut: true };
}

/** A value as it is taken over where nothing was: without nulls, and without what only directs. */
export function takenOver(value: unknown): unknown {
  return sift(value, (inner, holder) => isNoNullField(inner, holder) && !directsOnceNullsAreOut(inner));
}

/** A null goes before directives are looked at, and with it a directive that is null. */
export function directsOnceNullsAreOut(value: unknown): boolean {
  return isDirective(value) && directiveOf(value) !== null;
}

/** Elements without those that only direct, and without directives inside. */
export function withoutDirectives(list: readonly unknown[]): readonly unknown[] {
  const kept = list.filter((element) => !isDirective(element));
  return kept.map((element) => sift(element, (inner) => !isDirective(inner)));
}
