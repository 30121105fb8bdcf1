import { fieldOf, isArray, isObject, type JsonObject, setField } from "../schema/index.ts";
import { jsonWord } from "./go-words.ts";
import { malformed } from "./patch-error.ts";
import type { PatchOptions } from "./patch-options.ts";
import { withoutNulls } from "./sift.ts";

/**
 * The document after a JSON merge patch (RFC 7396), or a `PatchError` where the patch is no object.
 *
 * As in the real server, nulls inside a list are dropped from its objects too, unless the list replaces an object.
 * With field validation off a list is a patch: it replaces the document. The result shares with its arguments what did
 * not change.
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
  return `error decoding patch: json: cannot unmarshal ${jsonWord(patch)} into Go value of type map[string]interface {}`;
}

/** Merges object by object, without recursion: no nesting is too deep. */
function merge(document: JsonObject, patch: JsonObject): JsonObject {
  const merged = { ...document };
  const pending: Merge[] = [{ target: merged, patch }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    for (const key of Object.keys(next.patch)) mergeField(next, key, pending);
  }
  return merged;
}

interface Merge {
  /** A copy made for this patch. */
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
