import {
  type AnyKind,
  apiVersionOf,
  type KubeObject,
  keyText,
  kindName,
  type New,
  type NewMeta,
  type ObjectKey,
  type Owner,
  parseKey,
  withOwner,
} from "../api/index.ts";
import type { Client } from "./client.ts";
import { mergeDifference } from "./merge-difference.ts";
import type { WriteOptions } from "./options.ts";
import type { Patch } from "./patch.ts";

export interface MutateOptions<T extends KubeObject> extends Omit<WriteOptions, "subresource"> {
  /** Key of the object, which may not exist yet. */
  readonly key: ObjectKey | string;
  /**
   * Changes the object in place to the desired state. If the object does not exist, it receives one with only a name
   * and namespace. It may set every field except name and namespace.
   */
  readonly mutate: (object: Mutable<T>) => Promise<void> | void;
  /** Becomes the controlling owner of the object. */
  readonly owner?: Owner | undefined;
}

/** An object that may be new, so that its `spec` may be missing. */
export type Mutable<T extends KubeObject> = Omit<T, "metadata" | "spec"> & {
  metadata: NewMeta & { name: string };
} & ("spec" extends keyof T ? { spec?: T["spec"] | undefined } : unknown);

export interface Mutated<T extends KubeObject> {
  readonly result: "created" | "updated" | "unchanged";
  /** The object of the server's response, or the object that was read if nothing changed. */
  readonly object: T;
}

/**
 * Reads the object, calls `mutate`, and creates or replaces the object. It writes nothing if nothing changed. Throws
 * `isConflict` if another client has changed the object since it was read; reconcile again then.
 *
 * If `mutate` removes a field that the server defaults, every call is a write. `apply` does not have this problem and
 * is the better choice. A status that is a subresource is not written; use `createOrPatch` for it.
 */
export async function createOrUpdate<T extends KubeObject>(
  client: Client,
  kind: AnyKind<T>,
  { key, mutate, owner, ...options }: MutateOptions<NoInfer<T>>,
): Promise<Mutated<T>> {
  const before = await client.get(kind, key, options);
  if (!before) return createMutated(client, kind, { key, mutate, owner, ...options });
  const after = await mutated(kind, before, { mutate, owner });
  if (!mergeDifference(before, after)) return { result: "unchanged", object: before };
  return { result: "updated", object: await client.update(kind, after, options) };
}

/**
 * Reads the object, calls `mutate`, and creates the object or patches the changed fields: the status through the
 * subresource, the rest separately, each only if it differs. Concurrent writes to other fields are kept, and a newer
 * object of the same name is not written.
 *
 * A new object is created without its status. Lists are replaced completely.
 */
export async function createOrPatch<T extends KubeObject>(
  client: Client,
  kind: AnyKind<T>,
  { key, mutate, owner, ...options }: MutateOptions<NoInfer<T>>,
): Promise<Mutated<T>> {
  const before = await client.get(kind, key, options);
  if (!before) return createMutated(client, kind, { key, mutate, owner, ...options });
  const after = await mutated(kind, before, { mutate, owner });
  const { status, ...rest } = mergeDifference(before, after) ?? {};
  const { name, namespace, uid } = before.metadata;
  const patch = (part: object, subresource?: "status"): Promise<T> => {
    const guarded = { ...part, metadata: { ...("metadata" in part ? (part.metadata as object) : {}), uid } };
    const typed = { merge: guarded } as unknown as Patch<T>; // the difference of two `T`
    return client.patch(kind, { name, namespace }, typed, { ...options, subresource });
  };
  let object: T | undefined;
  if (Object.keys(rest).length > 0) object = await patch(rest);
  if (status !== undefined) object = await patch({ status }, "status");
  return object ? { result: "updated", object } : { result: "unchanged", object: before };
}

async function createMutated<T extends KubeObject>(
  client: Client,
  kind: AnyKind<T>,
  { key, mutate, owner, ...options }: MutateOptions<T>,
): Promise<Mutated<T>> {
  const { name, namespace } = parseKey(key);
  const metadata = namespace === undefined ? { name } : { name, namespace };
  const blank = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
  const object = await mutated(kind, blank as unknown as T, { mutate }); // `mutate` completes it
  return {
    result: "created",
    object: await client.create(kind, object as unknown as New<T>, { ...options, owner }),
  };
}

/** Returns a changed copy. Throws if `mutate` changed the name or namespace. */
async function mutated<T extends KubeObject>(
  kind: AnyKind<T>,
  before: T,
  { mutate, owner }: Pick<MutateOptions<T>, "mutate" | "owner">,
): Promise<T> {
  const copy = structuredClone(before);
  await mutate(copy as unknown as Mutable<T>); // `Mutable<T>` has more optional fields than `T`
  const after = owner ? withOwner(copy, owner) : copy;
  const [expected, got] = [keyText(before.metadata), keyText(after.metadata)];
  if (expected === got) return after;
  throw new TypeError(
    `expected \`mutate\` to keep the name and namespace of ${kindName(kind)} ${expected}, got ${got}`,
  );
}
