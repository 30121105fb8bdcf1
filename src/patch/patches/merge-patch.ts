import { fieldOf, isArray, isObject, type JsonObject, jsonTypeName, setField } from "../../schema/index.ts";
import { withoutNulls } from "./filter-deep.ts";
import { malformed } from "./patch-error.ts";
import type { PatchOptions } from "./patch-options.ts";

/**
 * Applies a JSON merge patch (RFC 7396).
 *
 * Like kube-apiserver, it also drops nulls from objects inside a list, unless the list replaces an object. With field
 * validation off, a list is a valid patch and replaces the document. The result shares unchanged parts with its
 * arguments.
 *
 * @throws {PatchError} if the patch is not an object
 */
export function applyMergePatch(document: JsonObject, patch: unknown, options: PatchOptions = {}): unknown {
  if (isObject(patch)) return merge(document, patch);
  if (patch === null) throw malformed(notPatch);
  if (options.fieldValidation !== "Ignore") throw malformed(wrongType(patch));
  if (!isArray(patch)) throw malformed(notPatch);
  return withoutNulls(patch);
}

const notPatch = "Invalid JSON Patch";

function wrongType(patch: unknown): string {
  return `error decoding patch: json: cannot unmarshal ${jsonTypeName(patch)} into Go value of type map[string]interface {}`;
}

/** Merges without recursion, so any depth is safe. */
function merge(document: JsonObject, patch: JsonObject): JsonObject {
  const merged = { ...document };
  const pending: Merge[] = [{ target: merged, patch }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    for (const key of Object.keys(next.patch)) mergeField(next, key, pending);
  }
  return merged;
}

interface Merge {
  /** A copy created for this patch. */
  readonly target: Record<string, unknown>;
  readonly patch: JsonObject;
}

function mergeField({ target, patch }: Merge, key: string, pending: Merge[]): void {
  const value = patch[key];
  const current = fieldOf(target, key);
  if (value === null) delete target[key];
  else if (!isObject(current)) setField(target, key, withoutNulls(value));
  else if (!isObject(value)) setField(target, key, value);
  else {
    const copy = { ...current };
    setField(target, key, copy);
    pending.push({ target: copy, patch: value });
  }
}
