import {
  controlledBy,
  type Frozen,
  isControlledBy,
  type Kind,
  type KubeObject,
  type LabelMatcher,
  type Owner,
} from "../../api/index.ts";
import { type Client, isInvalid, isNotFound, type Patch } from "../../client/index.ts";

/** The objects that an owner selects by labels, such as the Pods of a ReplicaSet. */
export interface Claim<T extends KubeObject> {
  readonly client: Client;
  readonly kind: Kind<T>;
  readonly owner: Owner & KubeObject;
  readonly ownerKind: Kind<KubeObject>;
  readonly selector: LabelMatcher;
  /** Objects whose controller is `owner`. */
  readonly owned: readonly Frozen<T>[];
  /** Objects of the namespace without a controller. */
  readonly orphans: readonly Frozen<T>[];
}

/**
 * Returns the objects that `owner` controls and selects. Adopts orphans that it selects, and releases objects whose
 * labels it does not select any more, unless either side is terminating.
 */
export async function claim<T extends KubeObject>(claimed: Claim<T>): Promise<Frozen<T>[]> {
  const { owner, owned, orphans, selector } = claimed;
  const selected = owned.filter(({ metadata }) => selector.matches(metadata.labels ?? {}));
  const ended = owner.metadata.deletionTimestamp !== undefined;
  if (ended) return selected;
  const released = owned.filter((object) => !selected.includes(object) && isLive(object));
  await Promise.all(released.map((object) => release(claimed, object)));
  const adoptable = orphans.filter(
    (object) => isLive(object) && selector.matches(object.metadata.labels ?? {}),
  );
  if (adoptable.length === 0 || !(await ownerIsLive(claimed))) return selected;
  const adopted = await Promise.all(adoptable.map((object) => adopt(claimed, object)));
  return [...selected, ...adopted.filter((object) => object !== undefined)];
}

function isLive({ metadata }: Frozen<KubeObject>): boolean {
  return metadata.deletionTimestamp === undefined;
}

/** Reads the owner from the server: the cache may not know yet that it was deleted, and an adopted object would be lost. */
async function ownerIsLive({ client, owner, ownerKind }: Claim<KubeObject>): Promise<boolean> {
  const current = await client.get(ownerKind, owner.metadata, { resourceVersion: "" });
  return current !== undefined && current.metadata.uid === owner.metadata.uid && isLive(current);
}

async function adopt<T extends KubeObject>(
  claimed: Claim<T>,
  object: Frozen<T>,
): Promise<Frozen<T> | undefined> {
  const adopted = await patchReferences(claimed, object, [controlledBy(claimed.owner)]);
  return adopted && isControlledBy(adopted, claimed.owner) ? adopted : undefined;
}

async function release<T extends KubeObject>(claimed: Claim<T>, object: Frozen<T>): Promise<void> {
  await patchReferences(claimed, object, [{ $patch: "delete", uid: claimed.owner.metadata.uid }]);
}

async function patchReferences<T extends KubeObject>(
  { client, kind }: Claim<T>,
  { metadata }: Frozen<T>,
  ownerReferences: readonly object[],
): Promise<Frozen<T> | undefined> {
  const strategic = { metadata: { uid: metadata.uid, ownerReferences } };
  // The compiler cannot know that a type parameter is not a custom kind.
  const patched = await unlessGone(client.patch(kind, metadata, { strategic } as unknown as Patch<T>));
  return patched as Frozen<T> | undefined; // not changed from here on
}

/** Ignores that the object was deleted, or replaced by another of the same name, or got another controller meanwhile. */
async function unlessGone<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (isNotFound(error) || isInvalid(error)) return undefined;
    throw error;
  }
}
