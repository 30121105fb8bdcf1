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

export interface MutateOptions<T extends KubeObject> extends Omit<WriteOptions, "subresource"> {
  /** Of the object, whether it exists or not. */
  readonly key: ObjectKey | string;
  /**
   * Changes the object in place to what it shall be. Where there is none yet it is given one with a name and nothing
   * else. It may set every field but name and namespace.
   */
  readonly mutate: (object: Mutable<T>) => Promise<void> | void;
  /** Made the controller of the object. */
  readonly owner?: Owner | undefined;
}

/** An object that may be new: what it asks for may not be there yet. */
export type Mutable<T extends KubeObject> = Omit<T, "metadata" | "spec"> & {
  metadata: NewMeta & { name: string };
} & ("spec" extends keyof T ? { spec?: T["spec"] | undefined } : unknown);

export interface Mutated<T extends KubeObject> {
  readonly result: "created" | "updated" | "unchanged";
  /** As the server answered; where nothing changed, as it was read. */
  readonly object: T;
}

/**
 * Reads the object, has it changed, and creates or replaces it; writes nothing where nothing changed. Throws
 * `isConflict` where somebody else has changed it since it was read: reconcile again.
 *
 * What the server fills in and `mutate` takes away is a change each time. `apply` has no such trouble, and is the first
 * choice. A status that is a subresource is not written: `createOrPatch` does that.
 */
export async function createOrUpdate<T extends KubeObject>(
  client: Client,
  kind: AnyKind<T>,
  { key, mutate, owner, ...options }: MutateOptions<NoInfer<T>>,
): Promise<Mutated<T>> {
  const before = await client.get(kind, key, options);
  if (!before) return created(client, kind, { key, mutate, owner, ...options });
  const after = await changed(kind, before, { mutate, owner });
  if (!mergeDifference(before, after)) return { result: "unchanged", object: before };
  return { result: "updated", object: await client.update(kind, after, options) };
}

/**
 * Reads the object, has it changed, and creates it or patches what changed: its status by the subresource, the rest by
 * itself, each only where it differs. Fields that others write meanwhile are left alone, and a later object of the same
 * name is not written.
 *
 * An object is created without the status that `mutate` gives it. Lists are replaced whole.
 */
export async function createOrPatch<T extends KubeObject>(
  client: Client,
  kind: AnyKind<T>,
  { key, mutate, owner, ...options }: MutateOptions<NoInfer<T>>,
): Promise<Mutated<T>> {
  const before = await client.get(kind, key, options);
  if (!before) return created(client, kind, { key, mutate, owner, ...options });
  const after = await changed(kind, before, { mutate, owner });
  const { status, ...rest } = mergeDifference(before, after) ?? {};
  const { name, namespace, uid } = before.metadata;
  const patch = (part: object, subresource?: "status"): Promise<T> => {
    const guarded = { ...part, metadata: { ...("metadata" in part ? (part.metadata as object) : {}), uid } };
    return client.patch(kind, { name, namespace }, { merge: guarded }, { ...options, subresource });
  };
  let object: T | undefined;
  if (Object.keys(rest).length > 0) object = await patch(rest);
  if (status !== undefined) object = await patch({ status }, "status");
  return object ? { result: "updated", object } : { result: "unchanged", object: before };
}

async function created<T extends KubeObject>(
  client: Client,
  kind: AnyKind<T>,
  { key, mutate, owner, ...options }: MutateOptions<T>,
): Promise<Mutated<T>> {
  const { name, namespace } = parseKey(key);
  const metadata = namespace === undefined ? { name } : { name, namespace };
  const blank = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
  const object = await changed(kind, blank as unknown as T, { mutate }); // `mutate` makes it one
  return {
    result: "created",
    object: await client.create(kind, object as unknown as New<T>, { ...options, owner }),
  };
}

/** A changed copy, which is still of the same name. */
async function changed<T extends KubeObject>(
  kind: AnyKind<T>,
  before: T,
  { mutate, owner }: Pick<MutateOptions<T>, "mutate" | "owner">,
): Promise<T> {
  const copy = structuredClone(before);
  await mutate(copy as unknown as Mutable<T>); // less is promised of it
  const after = owner ? withOwner(copy, owner) : copy;
  const [expected, got] = [keyText(before.metadata), keyText(after.metadata)];
  if (expected === got) return after;
  throw new TypeError(
    `expected \`mutate\` to leave name and namespace of ${kindName(kind)} ${expected} as they are, got ${got}`,
  );
}
