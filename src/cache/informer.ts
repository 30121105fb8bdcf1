import type { AnyKind, KubeObject } from "../api/index.ts";
import type { IndexValues } from "./field-index.ts";
import type { Overlay } from "./overlay.ts";
import type { Lister } from "./store.ts";
import type { EventHandler, HandlerOptions, Subscription } from "./subscription.ts";
import type { View } from "./view.ts";
import type { WatchHealth } from "./watch-health.ts";

/**
 * A current copy of the objects of one kind and view, and news of what changes.
 *
 * Many hold the same one, each by a handle of their own: what is registered through a handle goes with it, and the last
 * that is closed ends the informer. The copy is changed first and handlers are told then, each of every change in
 * its order: what a handler reads is what it was told of, or newer.
 *
 * An object is known by namespace and name. One that was deleted and made again is told as deleted and added.
 */
export interface Informer<T extends KubeObject> extends AsyncDisposable {
  readonly kind: AnyKind<T>;
  /** What it keeps of the kind, the factory's namespaces included. */
  readonly view: View<T>;
  readonly lister: Lister<T>;
  /** The same, never behind the writes that it is told of. Shared by all who have this informer. */
  readonly overlay: Overlay<T>;
  /**
   * Resolves when the first list is there to be read. Rejects with a `SyncError` where that takes too long, sooner
   * for a missing right or kind, which it names; the informer goes on trying, and who asks again later is told how it went.
   */
  readonly synced: Promise<void>;
  /** Whether the first list is there to be read, in all namespaces of the view. */
  readonly hasSynced: boolean;
  /** How it is connected: of several namespaces, where it is worst. */
  readonly health: WatchHealth;
  /** Objects that could not be read, by key, and why. The copy has their last good version, if there was one. */
  readonly undecodable: ReadonlyMap<string, Error>;
  /** Tells `handler` of what is there, and then of what changes. Nothing is told before this returns. */
  on(handler: EventHandler<T>, options?: HandlerOptions<T>): Subscription;
  /** Finds objects by these values from now on: `lister.by(name, value)`. The same function may be given again. */
  index(name: string, values: IndexValues<T>): void;
  /** Closes the handlers of this handle, and ends the informer if nobody else has it. */
  close(): Promise<void>;
}
