import type { AnyKind, KubeObject, Status } from "../api/index.ts";

/** The result of a DELETE, from its response. */
export type Deletion<T extends KubeObject> =
  /** The object is terminating until its finalizers are removed or its grace period ends. */
  | { readonly type: "stays"; readonly object: T }
  /** The server removed the object and returned its last version. */
  | { readonly type: "removed"; readonly object: T }
  /** The server removed the object and returned a `Status` with its uid. */
  | { readonly type: "status"; readonly uid: string | undefined };

/** Reads the body of the response to a DELETE. */
export function deletionOf<T extends KubeObject>(kind: AnyKind<T>, body: T | Status): Deletion<T> {
  if (isStatus(body)) return { type: "status", uid: body.details?.uid };
  return { type: isTerminating(kind, body) ? "stays" : "removed", object: body };
}

/** Returns the terminating object of a DELETE's response, in the form of the kind, or `undefined` if it was removed. */
export function remainingOf<T extends KubeObject>(kind: AnyKind<T>, body: T | Status): T | undefined {
  const deletion = deletionOf(kind, body);
  return deletion.type === "stays" ? asObjectOf(kind, deletion.object) : undefined;
}

/** Converts the full object of a response to the form of the kind, which may be metadata only. */
function asObjectOf<T extends KubeObject>(kind: AnyKind<T>, object: T): T {
  if (!kind.metadataOnly) return object;
  const { metadata } = object;
  return { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata", metadata } as T; // `T` is the metadata type then
}

/**
 * Returns true if an object is marked for deletion but kept by a finalizer, its grace period, or the finalizers in a
 * Namespace's `spec`. The latter need the full object: with metadata only, a Namespace counts as terminating.
 */
export function isTerminating(kind: AnyKind, object: KubeObject): boolean {
  const { deletionTimestamp, finalizers = [], deletionGracePeriodSeconds = 0 } = object.metadata;
  if (deletionTimestamp === undefined) return false;
  if (finalizers.length > 0 || deletionGracePeriodSeconds > 0) return true;
  if (kind.kind !== "Namespace" || kind.group !== "") return false;
  const { spec } = object as { readonly spec?: { readonly finalizers?: readonly string[] } };
  return spec === undefined || Boolean(spec.finalizers?.length);
}

/** Returns true if the body is not an object. Some extension servers return little more than `{}`. */
function isStatus(body: KubeObject | Status): body is Status {
  if (body.kind === "Status" && body.apiVersion === "v1") return true;
  return (body.metadata as Partial<KubeObject["metadata"]> | undefined)?.name === undefined;
}
