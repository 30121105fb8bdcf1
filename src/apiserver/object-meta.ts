import type { KubeObject, ObjectMeta } from "../api/index.ts";

/** The order in which the real server writes metadata. Others are not stored. */
const fields: readonly string[] = [
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

/** Where the uid stands when nothing is stored. */
const unstoredFields: readonly string[] = ["selfLink", "uid", "resourceVersion"];

/**
 * An object with its parts in the order of storage: kind, apiVersion, metadata without resourceVersion and without
 * empty fields, then the rest. `uid` is always there, for the resourceVersion is written after it.
 */
export function storable(object: KubeObject): KubeObject {
  const { kind, apiVersion, metadata, ...rest } = object;
  return { kind, apiVersion, metadata: orderedMeta(metadata), ...rest } as KubeObject;
}

/**
 * The same with the empty fields of metadata. It begins with its apiVersion: nothing that does is served as it is
 * stored.
 */
export function unpruned(object: KubeObject): KubeObject {
  const { kind, apiVersion, metadata, ...rest } = object;
  const values = new Map<string, unknown>(Object.entries(metadata));
  const entries = fields.map((field) => [field, values.get(field)] as const);
  const kept = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  return { apiVersion, kind, metadata: kept, ...rest } as unknown as KubeObject;
}

/** An object as a dry run answers with it: with what is never stored, as it was sent. */
export function unstored(object: KubeObject): KubeObject {
  const { kind, apiVersion, metadata, ...rest } = object;
  return { kind, apiVersion, metadata: orderedMeta(metadata, allFields), ...rest } as KubeObject;
}

const allFields = fields.flatMap((field) => (field === "uid" ? unstoredFields : [field]));

function orderedMeta(metadata: ObjectMeta, names: readonly string[] = fields): ObjectMeta {
  const values = new Map<string, unknown>(Object.entries(metadata));
  const entries = names.map((field) => [field, values.get(field)] as const);
  // Made of the same fields, so it is the same type.
  return Object.fromEntries(entries.filter(([, value]) => !isEmpty(value))) as unknown as ObjectMeta;
}

/** As Go's `omitempty` takes it; a period of zero seconds is a pointer there, and stays. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
