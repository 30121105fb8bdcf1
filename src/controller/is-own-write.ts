import type { DeepReadonly, KubeObject } from "../api/index.ts";
import type { WriteVerb } from "../detector/index.ts";

/** A write and its response. */
export interface CompletedWrite {
  /** The fields that the write sets: an object or part of one. `undefined` if they are unknown, as for a JSON patch. */
  readonly sent: unknown;
  /** The cached object before the write. */
  readonly before: DeepReadonly<KubeObject>;
  /** The object in the response. */
  readonly after: KubeObject;
}

/**
 * Returns true if the write created the resource version in its response. A write without changes creates no version:
 * the server responds with the current object. If that object differs from the cached one, another client changed it.
 */
export function isOwnWrite({ sent, before, after }: CompletedWrite): boolean {
  if (after.metadata.resourceVersion === before.metadata.resourceVersion) return false;
  if (sent === undefined || !isIn(sent, before)) return true;
  return isIn(withoutVersion(after), before);
}

/**
 * Returns the fields that an apply or a merge patch sets. Returns `undefined` for an update, which also removes the
 * fields that it omits, and for a JSON patch.
 */
export function fieldsSetBy({ verb, sent }: { readonly verb: WriteVerb; readonly sent?: unknown }): unknown {
  if (verb === "apply") return sent;
  return verb === "patch" && typeof sent === "object" && sent !== null && "merge" in sent
    ? sent.merge
    : undefined;
}

/** Returns the object without the metadata that every write changes. */
function withoutVersion({ metadata, ...object }: KubeObject): object {
  const {
    resourceVersion: _version,
    generation: _generation,
    managedFields: _managers,
    ...others
  } = metadata;
  return { ...object, metadata: others };
}

/** Returns true if `whole` has every value of `part`. */
function isIn(part: unknown, whole: unknown): boolean {
  if (part === undefined) return true;
  if (part === null) return whole === undefined || whole === null; // a merge patch removes a field with null
  if (typeof part !== "object") return part === whole;
  if (typeof whole !== "object" || whole === null) return false;
  if (Array.isArray(part) && (!Array.isArray(whole) || whole.length !== part.length)) return false;
  return Object.entries(part).every(([name, value]) => isIn(value, Reflect.get(whole, name)));
}
