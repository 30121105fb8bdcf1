/** What every Kubernetes object has: plain JSON. Times are RFC 3339 strings, unknown fields survive. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/** An object whose type is not known at compile time: every other field is there, as `unknown`. */
export interface Unstructured extends KubeObject {
  [field: string]: unknown;
}

/** An object of which only the metadata was asked for (`PartialObjectMetadata`). */
export interface PartialObject extends KubeObject {
  apiVersion: "meta.k8s.io/v1";
  kind: "PartialObjectMetadata";
}

/** What the server keeps about an object. `uid`, `resourceVersion` and `creationTimestamp` are the server's to fill. */
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

/** Metadata inside another object, as in a Pod template: nothing of it is filled by the server. */
export type TemplateMeta = { [P in keyof ObjectMeta]?: ObjectMeta[P] | undefined };

/** An object inside another, as a volume claim in a StatefulSet: kind and version may be left to the place it has. */
export type Template<T extends KubeObject> = Omit<T, keyof KubeObject> & {
  [P in keyof KubeObject]?: (P extends "metadata" ? TemplateMeta : T[P]) | undefined;
};

/** Points from an object to one it belongs to, in the same namespace or cluster-scoped. At most one has `controller`. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean | undefined;
  blockOwnerDeletion?: boolean | undefined;
}

/** Which fields one manager owns, and by which operation. */
export interface ManagedFieldsEntry {
  manager: string;
  operation: "Apply" | "Update";
  apiVersion: string;
  time?: string | undefined;
  fieldsType: "FieldsV1";
  fieldsV1: Record<string, unknown>;
  subresource?: string | undefined;
}

/** One page of objects, as the server lists them. */
export interface List<T extends KubeObject = KubeObject> {
  apiVersion: string;
  kind: string;
  metadata: ListMeta;
  items: T[];
}

export interface ListMeta {
  resourceVersion?: string | undefined;
  /** Hands back the next page when sent with the next request. Absent or empty on the last page. */
  continue?: string | undefined;
  /** How many objects follow this page. Absent where the server cannot tell, as with selectors. */
  remainingItemCount?: number | undefined;
  /** Present when the list was asked for in shards. */
  shardInfo?: { selector: string } | undefined;
}
