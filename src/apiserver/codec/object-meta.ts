import type { KubeObject, ObjectMeta } from "../../api/index.ts";

/** The fields of metadata in the order in which kube-apiserver writes them. Other fields are not stored. */
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

/** The fields at the place of the uid in an object that is not stored. */
const unstoredFields: readonly string[] = ["selfLink", "uid", "resourceVersion"];

/**
 * Returns an object with its fields in storage order: kind, apiVersion, metadata without resourceVersion and without
 * empty fields, then the rest. `uid` is always present, because the resourceVersion is written after it.
 */
export function storable(object: KubeObject): KubeObject {
  const { kind, apiVersion, metadata, ...rest } = object;
  return { kind, apiVersion, metadata: orderedMeta(metadata), ...rest } as KubeObject;
}

/**
 * Returns the same with the empty fields of metadata. It starts with the apiVersion, which marks it as an object that
 * is not served as it is stored.
 */
export function unpruned(object: KubeObject): KubeObject {
  const { kind, apiVersion, metadata, ...rest } = object;
  const values = new Map<string, unknown>(Object.entries(metadata));
  const entries = fields.map((field) => [field, values.get(field)] as const);
  const present = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  return { apiVersion, kind, metadata: present, ...rest } as unknown as KubeObject;
}

/** Returns an object as the response to a dry run contains it: with fields that are never stored, as they were sent. */
export function unstored(object: KubeObject): KubeObject {
  const { kind, apiVersion, metadata, ...rest } = object;
  return { kind, apiVersion, metadata: orderedMeta(metadata, allFields), ...rest } as KubeObject;
}

const allFields = fields.flatMap((field) => (field === "uid" ? unstoredFields : [field]));

function orderedMeta(metadata: ObjectMeta, names: readonly string[] = fields): ObjectMeta {
  const values = new Map<string, unknown>(Object.entries(metadata));
  const entries = names.map((field) => [field, values.get(field)] as const);
  // The fields are the same, so the type is, too.
  return Object.fromEntries(entries.filter(([, value]) => !isEmpty(value))) as unknown as ObjectMeta;
}

/** Returns true if Go's `omitempty` omits the value. Zero numbers are kept, because they are pointers in Go. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
