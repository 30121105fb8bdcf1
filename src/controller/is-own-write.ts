import type { DeepReadonly, KubeObject } from "../api/index.ts";

/** A write and its answer. */
export interface Answered {
  /** What it said: an object or part of one; `undefined` where that cannot be told, as of the steps of a JSON patch. */
  readonly sent: unknown;
  /** The object as it was known before. */
  readonly before: DeepReadonly<KubeObject>;
  readonly after: KubeObject;
}

/**
 * Whether a write made the version that it was answered with. A write that says nothing new makes none, and is answered with
 * the version there is: where something is new in that all the same, it is somebody else's doing.
 */
export function isOwnWrite({ sent, before, after }: Answered): boolean {
  if (after.metadata.resourceVersion === before.metadata.resourceVersion) return false;
  if (sent === undefined || !isIn(sent, before)) return true;
  return isIn(lasting(after), before);
}

/** Without what every write changes, whoever's it is. */
function lasting({ metadata, ...object }: KubeObject): object {
  const {
    resourceVersion: _version,
    generation: _generation,
    managedFields: _managers,
    ...others
  } = metadata;
  return { ...object, metadata: others };
}

/** Whether all that `part` says is so in `whole`. */
function isIn(part: unknown, whole: unknown): boolean {
  if (part === undefined) return true;
  if (part === null) return whole === undefined || whole === null; // in a patch: it is to be absent
  if (typeof part !== "object") return part === whole;
  if (typeof whole !== "object" || whole === null) return false;
  if (Array.isArray(part) && (!Array.isArray(whole) || whole.length !== part.length)) return false;
  return Object.entries(part).every(([name, value]) => isIn(value, Reflect.get(whole, name)));
}
