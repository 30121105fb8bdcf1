import type { AnyKind, KubeObject, Status } from "../api/index.ts";

/** What the response to a DELETE says. */
export type Deletion<T extends KubeObject> =
  /** The object is terminating and stays until its finalizers are gone or its grace period is over. */
  | { readonly type: "stays"; readonly object: T }
  /** The server removed the object, and returned the last version of it. */
  | { readonly type: "removed"; readonly object: T }
  /** The server removed the object, and responded with a `Status` that has its uid. */
  | { readonly type: "status"; readonly uid: string | undefined };

/** Reads the body of the response to a DELETE. */
export function deletionOf<T extends KubeObject>(kind: AnyKind<T>, body: T | Status): Deletion<T> {
  if (isStatus(body)) return { type: "status", uid: body.details?.uid };
  return { type: isTerminating(kind, body) ? "stays" : "removed", object: body };
}

/** The object that stays after a DELETE with this response, in the form of the kind, or `undefined`. */
export function remainingOf<T extends KubeObject>(kind: AnyKind<T>, body: T | Status): T | undefined {
  const deletion = deletionOf(kind, body);
  return deletion.type === "stays" ? inForm(kind, deletion.object) : undefined;
}

/** The object of a response that has it whole, as the kind has its objects. */
function inForm<T extends KubeObject>(kind: AnyKind<T>, object: T): T {
  if (!kind.metadataOnly) return object;
  const { metadata } = object;
  return { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata", metadata } as T; // which `T` is then
}

/**
 * Whether an object is marked for deletion and something holds it: a finalizer, its grace period, or what is left in a
 * Namespace. Of a Namespace only the whole object shows that: by its metadata alone it is taken to be held.
 */
export function isTerminating(kind: AnyKind, object: KubeObject): boolean {
  const { deletionTimestamp, finalizers = [], deletionGracePeriodSeconds = 0 } = object.metadata;
  if (deletionTimestamp === undefined) return false;
  if (finalizers.length > 0 || deletionGracePeriodSeconds > 0) return true;
  if (kind.kind !== "Namespace" || kind.group !== "") return false;
  const { spec } = object as { readonly spec?: { readonly finalizers?: readonly string[] } };
  return spec === undefined || Boolean(spec.finalizers?.length);
}

/** A body without an object's metadata is no object: some extension servers respond with little more than `{}`. */
function isStatus(body: KubeObject | Status): body is Status {
  if (body.kind === "Status" && body.apiVersion === "v1") return true;
  return (body.metadata as Partial<KubeObject["metadata"]> | undefined)?.name === undefined;
}
