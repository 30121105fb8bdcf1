import type { KubeObject, ObjectMeta } from "../api/index.ts";

/** The order in which the real server writes metadata. Others do not exist. */
const fields: ReadonlyArray<keyof ObjectMeta> = [
  "name",
  "generateName",
  "namespace",
  "uid",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "labels",
  "annotations",
  "ownerReferences",
  "finalizers",
  "managedFields",
];

/**
 * An object with its parts in the order of storage: kind, apiVersion, metadata without resourceVersion and without
 * empty fields, then the rest. `uid` is always there, for the resourceVersion is written after it.
 */
export function storable(object: KubeObject): KubeObject {
  const { kind, apiVersion, metadata, ...rest } = object;
  return { kind, apiVersion, metadata: orderedMeta(metadata), ...rest } as KubeObject;
}

function orderedMeta(metadata: ObjectMeta): ObjectMeta {
  const entries = fields.map((field) => [field, metadata[field]] as const);
  // Made of the same fields, so it is the same type.
  return Object.fromEntries(entries.filter(([, value]) => !isEmpty(value))) as unknown as ObjectMeta;
}

/** As Go's `omitempty` takes it; a period of zero seconds is a pointer there, and stays. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
