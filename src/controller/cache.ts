import type { AnyKind, DeepReadonly, KubeObject, Owner } from "../api/index.ts";
import type { Lister } from "../cache/index.ts";

/**
 * Reads the kinds that the controllers of a manager declare, own writes included. Every read throws
 * `CacheNotSyncedError` until a cache of the kind has synced.
 *
 * Own writes are visible at once if the response has the object: `create`, `update`, `patch`, `apply`, `applyStatus` and
 * `delete`. The responses to `deleteAll`, and to writes of `scale`, evictions and bindings, do not say how the object is
 * afterwards: until the watch delivers the change, these reads return the version before it, while `get` and `list` of the
 * client read from the server.
 */
export interface Cache {
  /** What reads the kind. It may be kept. Throws for a kind that no controller declares. */
  of<T extends KubeObject>(kind: AnyKind<T>): Lister<T>;
  /** Objects of `kind` whose controller is `owner`, by its uid. */
  owned<T extends KubeObject>(kind: AnyKind<T>, owner: Pick<Owner, "metadata">): DeepReadonly<T>[];
}
