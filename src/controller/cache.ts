import type { AnyKind, Frozen, KubeObject, Owner } from "../api/index.ts";
import type { Lister } from "../cache/index.ts";

/**
 * Reads the kinds that the controllers of a manager declare, own writes included. Every read throws
 * `CacheNotSyncedError` until a cache of the kind has synced.
 *
 * Own writes are visible at once if the response contains the object: `create`, `update`, `patch`, `apply`,
 * `applyStatus` and `delete`. The responses to `deleteAll`, and to writes of `scale`, evictions and bindings, do not
 * contain the changed object. Until the watch delivers such a change, these reads return the previous version, while
 * `get` and `list` of the client read from the server.
 */
export interface Cache {
  /** Returns the lister of a kind. Callers may keep it. Throws for a kind that no controller declares. */
  of<T extends KubeObject>(kind: AnyKind<T>): Lister<T>;
  /** Returns the objects of `kind` whose controller owner reference has the uid of `owner`. */
  owned<T extends KubeObject>(kind: AnyKind<T>, owner: Pick<Owner, "metadata">): Frozen<T>[];
}
