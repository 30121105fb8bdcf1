import type { DeepReadonly, NewMeta } from "./draft.ts";
import { keyText } from "./key.ts";
import type { OwnerReference } from "./object.ts";

/** An object that may have an owner. Errors use its kind and version. */
export interface Owned {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata: DeepReadonly<NewMeta>;
}

/** An object that may own others. It must exist on the server, because references contain its uid. */
export interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined; readonly uid: string };
}

export interface OwnerOptions {
  /** True to mark the owner as the only controller of the object. @default true */
  readonly controller?: boolean | undefined;
  /**
   * True to keep the owner until the object is deleted, in a foreground deletion. @default the value of `controller`
   */
  readonly blockOwnerDeletion?: boolean | undefined;
}

/** Returns the owner reference marked as controller, or `undefined`. Ignores malformed references. */
export function controllerOf(object: Owned): Readonly<OwnerReference> | undefined {
  const { ownerReferences } = object.metadata;
  if (!Array.isArray(ownerReferences)) return undefined; // a server or a transform may send anything
  return (
    (ownerReferences as readonly (OwnerReference | null)[]).find((each) => each?.controller === true) ??
    undefined
  );
}

/**
 * Returns true if `owner`, identified by its uid, is the controller of `object`. A later object of the same name is
 * not.
 */
export function isControlledBy(object: Owned, owner: Pick<Owner, "metadata">): boolean {
  const uid = controllerOf(object)?.uid;
  return uid !== undefined && uid !== "" && uid === owner.metadata.uid;
}

/**
 * Returns an owner reference that makes `owner` the controller.
 *
 * @throws {TypeError} if a required field such as the uid is missing
 */
export function controlledBy(owner: Owner): OwnerReference {
  return referenceTo(owner, {});
}

/**
 * Returns the object with `owner` among its owners. Replaces a reference to the same group, kind and name, even if it
 * has another uid.
 *
 * @throws {TypeError} if the garbage collector would delete the object or its owner by mistake: for a second
 * controller, for a namespaced owner of a cluster-scoped object, and for an owner in another namespace
 */
export function withOwner<T extends Owned>(object: T, owner: Owner, options: OwnerOptions = {}): T {
  const next = referenceTo(owner, options);
  checkNamespaces(object, owner);
  if (next.controller) checkController(object, next);
  const references = object.metadata.ownerReferences ?? [];
  const index = references.findIndex((one) => isSameOwner(one, next));
  const ownerReferences = index < 0 ? [...references, next] : references.with(index, next);
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
