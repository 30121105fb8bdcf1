import type { AnyKind, Frozen, KubeObject, Owner } from "../api/index.ts";
import type { EventHandler, IterateOptions, Iteration, Lister, Subscription } from "../cache/index.ts";
import type { CacheHandlerOptions } from "./cache-handlers.ts";
import type { Index, IndexLookup, IndexValue } from "./object-index.ts";

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
  /** Returns the reader of a kind. Callers may keep it. Throws for a kind that no controller declares. */
  of<T extends KubeObject>(kind: AnyKind<T>): CacheReader<T>;
  /** Returns the objects of `kind` whose controller owner reference has the uid of `owner`. */
  owned<T extends KubeObject>(kind: AnyKind<T>, owner: Pick<Owner, "metadata">): Frozen<T>[];
  /**
   * Returns the objects that an index has under a value. Throws for an index that no controller declares in `indexes`.
   */
  by<T extends KubeObject, V extends IndexValue>(
    index: Index<T, V>,
    value: IndexLookup<NoInfer<V>>,
  ): Frozen<T>[];
  /**
   * Adds an event handler, which runs on every replica, also on standbys. It receives every object as `added`, then
   * every change. It shares the watch of the controllers of this kind. If none watches the kind, it is watched from now
   * on, and reads have it. May be called before the manager starts, whose `ready` then waits for it.
   *
   * In the cache of another cluster, handlers run from when a controller watches that cluster.
   */
  on<T extends KubeObject>(
    kind: AnyKind<T>,
    handler: EventHandler<T>,
    options?: CacheHandlerOptions<T>,
  ): Subscription;
}

/** Reads one kind from the caches of a manager, like a `Lister`. Indexes are read with `cache.by`. */
export interface CacheReader<T extends KubeObject> extends Omit<Lister<T>, "by" | "viewsBy" | "iterate"> {
  /**
   * Reads objects one by one, and lets other work of the process run every 10 ms. See `Iteration` for what it returns
   * while the cache changes.
   */
  iterate(options?: Omit<IterateOptions, "index">): Iteration<T>;
}
