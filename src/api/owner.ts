import type { DeepReadonly, NewMeta } from "./draft.ts";
import { keyText } from "./key.ts";
import type { OwnerReference } from "./object.ts";

/** An object that may belong to another. Kind and version serve its errors only. */
export interface Owned {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata: DeepReadonly<NewMeta>;
}

/** An object that others may belong to: one that the server knows, for the reference is by uid. */
export interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined; readonly uid: string };
}

export interface OwnerOptions {
  /** Marks the owner as the one controller of the object. @default true */
  readonly controller?: boolean | undefined;
  /** Keeps the owner until the object is gone, when it is deleted in the foreground. @default as `controller` */
  readonly blockOwnerDeletion?: boolean | undefined;
}

/** The owner reference marked as controller, if any. References that are not as they should be are none. */
export function controllerOf(object: Owned): Readonly<OwnerReference> | undefined {
  const { ownerReferences } = object.metadata;
  if (!Array.isArray(ownerReferences)) return undefined; // from a server or a transform comes what they send
  return (
    (ownerReferences as readonly (OwnerReference | null)[]).find((each) => each?.controller === true) ??
    undefined
  );
}

/** Whether `owner` itself, by uid, is the controller of `object`: a later object of the same name is not. */
export function isControlledBy(object: Owned, owner: Pick<Owner, "metadata">): boolean {
  const uid = controllerOf(object)?.uid;
  return uid !== undefined && uid !== "" && uid === owner.metadata.uid;
}

/** The reference that makes `owner` a controller. Throws when it lacks what a reference needs, such as a uid. */
export function controlledBy(owner: Owner): OwnerReference {
  return referenceTo(owner, {});
}

/**
 * The object with `owner` among its owners. A reference to the same owner (group, kind and name, so also one to a
 * former object of that name) is replaced in its place.
 *
 * Throws where the server would later delete the object or its owner by mistake: at a second controller, at a
 * namespaced owner of a cluster-scoped object, and at an owner in another namespace.
 */
export function withOwner<T extends Owned>(object: T, owner: Owner, options: OwnerOptions = {}): T {
  const next = referenceTo(owner, options);
  checkNamespaces(object, owner);
  if (next.controller) checkController(object, next);
  const references = object.metadata.ownerReferences ?? [];
  const at = references.findIndex((one) => isSameOwner(one, next));
  const ownerReferences = at < 0 ? [...references, next] : references.with(at, next);
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

function referenceTo(
  owner: Owner,
  { controller = true, blockOwnerDeletion = controller }: OwnerOptions,
): OwnerReference {
  const { apiVersion, kind } = owner;
  const { name, uid } = owner.metadata;
  const missing = Object.entries({ apiVersion, kind, "metadata.name": name, "metadata.uid": uid }).find(
    ([, value]) => !value,
  );
  if (missing) {
    throw new TypeError(
      `expected an owner with ${missing[0]}, got ${describe(owner)} without; only an object read from the server can own`,
    );
  }
  return {
    apiVersion,
    kind,
    name,
    uid,
    ...(controller && { controller }),
    ...(blockOwnerDeletion && { blockOwnerDeletion }),
  };
}

function checkNamespaces(object: Owned, owner: Owner): void {
  const { namespace } = owner.metadata;
  if (!namespace || namespace === object.metadata.namespace) return;
  const got = object.metadata.namespace ? `${describe(object)}` : `${describe(object)} in none`;
  throw new TypeError(
    `expected an object in namespace ${namespace} of its owner ${describe(owner)}, got ${got}`,
  );
}

function checkController(object: Owned, next: OwnerReference): void {
  const current = controllerOf(object);
  if (!current || isSameOwner(current, next)) return;
  const got = `${current.kind} ${current.name} (uid ${current.uid})`;
  throw new TypeError(`expected no other controller on ${describe(object)}, got ${got}`);
}

function isSameOwner(a: OwnerReference, b: OwnerReference): boolean {
  return a.name === b.name && a.kind === b.kind && groupOf(a.apiVersion) === groupOf(b.apiVersion);
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}

function describe({ kind, metadata: { namespace, name, generateName } }: Owned): string {
  return `${kind || "object"} ${keyText({ namespace, name: name || generateName || "without a name" })}`;
}
