import type { AnyKind, DeepReadonly, KubeObject, Owner } from "../api/index.ts";
import type { Lister } from "../cache/index.ts";

/**
 * Reads the kinds that the controllers of a manager declare, own writes included. Every read throws
 * `CacheNotSyncedError` until a cache of the kind has synced.
 */
export interface Cache {
  /** What reads the kind. It may be kept. Throws for a kind that no controller declares. */
  of<T extends KubeObject>(kind: AnyKind<T>): Lister<T>;
  /** Objects of `kind` whose controller is `owner`, by its uid. */
  owned<T extends KubeObject>(kind: AnyKind<T>, owner: Pick<Owner, "metadata">): DeepReadonly<T>[];
}
