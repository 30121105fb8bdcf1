import type { AnyKind, KubeObject } from "../api/index.ts";
import type { IndexValues } from "./objects/field-index.ts";
import type { Lister, ReadonlyIndexer } from "./objects/store.ts";
import type { Overlay } from "./overlay.ts";
import type { WatchHealth } from "./reflector/watch-health.ts";
import type { EventHandler, HandlerOptions, Subscription } from "./subscription.ts";
import type { View } from "./view.ts";

/**
 * A handle of a shared informer: a cache of the objects of one kind and view, and notifications of changes.
 *
 * Handles of the same kind and view share one cache and one watch. Closing a handle closes the handlers that were added
 * through it; closing the last handle ends the informer. The cache changes before handlers are notified, and each
 * handler receives every change in order. So a handler reads the version of its event, or a newer one.
 *
 * Objects are identified by namespace and name. An object that was deleted and created again is delivered as `deleted`
 * and `added`.
 */
export interface Informer<T extends KubeObject> extends AsyncDisposable {
  readonly kind: AnyKind<T>;
  /** The view, with the defaults of the factory. */
  readonly view: View<T>;
  readonly lister: Lister<T>;
  /** The store of the informer: `lister`, with lookups of index values and keys. */
  readonly indexer: ReadonlyIndexer<T>;
  /** Reads like `lister`, plus own writes that it is notified of. Shared by all handles. */
  readonly overlay: Overlay<T>;
  /**
   * Resolves when the cache has the first list. Rejects with a `SyncError` if that takes too long, and sooner for a
   * missing permission or kind, which the error names. The informer keeps retrying, and a later read returns the
   * current result.
   */
  readonly synced: Promise<void>;
  /** True if the cache has the first list, in all namespaces of the view. */
  readonly hasSynced: boolean;
  /** Health of the watch; with several namespaces, the worst of theirs. */
  readonly health: WatchHealth;
  /** Undecodable objects and their errors, by key. The cache has their last decodable version, if there was one. */
  readonly undecodable: ReadonlyMap<string, Error>;
  /** Adds a handler. It receives every cached object as `added`, then every change; nothing before this returns. */
  on(handler: EventHandler<T>, options?: HandlerOptions<T>): Subscription;
  /** Adds an index for `lister.by(name, value)`. Adding the same function again has no effect. */
  index(name: string, values: IndexValues<T>): void;
  /**
   * Runs this informer without the others of its factory, until the signal aborts. Resolves when it has ended. If it
   * was started before, the first signal counts, and this resolves when either aborts.
   */
  run(options: { readonly signal: AbortSignal }): Promise<void>;
  /** Closes the handlers of this handle, and ends the informer if it is the last handle. */
  close(): Promise<void>;
}
