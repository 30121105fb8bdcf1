/** The fields of every Kubernetes object: plain JSON. Times are RFC 3339 strings. Unknown fields are preserved. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/** An object whose type is not known at compile time: all other fields are `unknown`. */
export interface Unstructured extends KubeObject {
  [field: string]: unknown;
}

/** An object reduced to its metadata (`PartialObjectMetadata`). */
export interface PartialObject extends KubeObject {
  apiVersion: "meta.k8s.io/v1";
  kind: "PartialObjectMetadata";
}

/** The metadata of an object. The server sets `uid`, `resourceVersion` and `creationTimestamp`. */
export interface ObjectMeta {
  name: string;
  generateName?: string | undefined;
  namespace?: string | undefined;
  uid: string;
  resourceVersion: string;
  generation?: number | undefined;
  creationTimestamp: string;
  deletionTimestamp?: string | undefined;
  deletionGracePeriodSeconds?: number | undefined;
  labels?: Record<string, string> | undefined;
  annotations?: Record<string, string> | undefined;
  ownerReferences?: OwnerReference[] | undefined;
  finalizers?: string[] | undefined;
  managedFields?: ManagedFieldsEntry[] | undefined;
}

/** Metadata inside another object, such as a Pod template. The server sets none of its fields. */
export type TemplateMeta = { [P in keyof ObjectMeta]?: ObjectMeta[P] | undefined };

/** An object inside another, such as a volume claim in a StatefulSet. Its apiVersion and kind are optional. */
export type Template<T extends KubeObject> = Omit<T, keyof KubeObject> & {
  [P in keyof KubeObject]?: (P extends "metadata" ? TemplateMeta : T[P]) | undefined;
};

/** A reference from an object to its owner, in the same namespace or cluster-scoped. At most one has `controller`. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean | undefined;
  blockOwnerDeletion?: boolean | undefined;
}

/** The fields that one manager owns by one operation. */
export interface ManagedFieldsEntry {
  manager: string;
  operation: "Apply" | "Update";
  apiVersion: string;
  time?: string | undefined;
  fieldsType: "FieldsV1";
  fieldsV1: Record<string, unknown>;
  subresource?: string | undefined;
}

/** One page of a list response. */
export interface List<T extends KubeObject = KubeObject> {
  apiVersion: string;
  kind: string;
  metadata: ListMeta;
  items: T[];
}

export interface ListMeta {
  resourceVersion?: string | undefined;
  /** The token that requests the next page. Absent or empty on the last page. */
  continue?: string | undefined;
  /** The number of objects after this page. Absent if the server does not know it, as with selectors. */
  remainingItemCount?: number | undefined;
  /** Present if the list was requested in shards. */
  shardInfo?: { selector: string } | undefined;
}
