/**
 * Informers: local caches of collections of the API server, kept current by watches.
 *
 * A cache never goes back in time, except when the storage of the server is restored. Handlers are notified of every
 * change in order, and of every deletion at least once. Objects that are returned belong to the caller, or are frozen.
 * Objects are stored as JSON bytes outside the V8 heap, and parsed when they are read.
 *
 * Words of this folder: an `Entry` is one version of an object, as bytes. The `Slab` is the off-heap memory of the
 * entries. The `Overlay` adds own writes that the watch has not delivered yet (read your writes).
 *
 * Forms of an event, in order: an `EntryDelta` is a change as the reflector received it; MODIFIED on the wire is `updated` here. A
 * `Change` is its effect on the store, with the previous version. An `ObjectEvent` is a change for one handler, which owns
 * its objects.
 *
 * An informer in its parts, for programs that put them together themselves: `reflector` lists and watches into a sink,
 * `DeltaFifo` queues the changes of each object, `Indexer` stores objects.
 *
 * @module
 */

export { type InformerFactory, type InformersOptions, informers } from "./factory.ts";
export { FactorySyncError } from "./factory-sync-error.ts";
export type { Informer } from "./informer.ts";
export type { IndexValues } from "./objects/field-index.ts";
export type { IterateOptions, Iteration } from "./objects/iteration.ts";
export {
  metadataFieldChanged,
  type ObjectAdded,
  type ObjectDeleted,
  type ObjectEvent,
  type ObjectUpdated,
  releaseEvent,
} from "./objects/object-event.ts";
export { matcherOf, type Selection } from "./objects/selection.ts";
export type { Lister, ReadonlyIndexer } from "./objects/store.ts";
export type { Overlay } from "./overlay.ts";
export type { DeletedObject, Pending, WriteResponse } from "./own-writes.ts";
export type { Delta, Deltas } from "./parts/delta.ts";
export {
  DeltaFifo,
  type DeltaFifoOptions,
  type KnownObjects,
  type PopOptions,
  type PopProcess,
} from "./parts/delta-fifo.ts";
export { Indexer } from "./parts/indexer.ts";
export type {
  ListedPage,
  ListerOptions,
  ListerWatcher,
  ListerWatcherEvent,
  WatcherOptions,
} from "./parts/lister-watcher.ts";
export type { ReflectorSink } from "./parts/reflector-sink.ts";
export { RequeueError } from "./parts/requeue-error.ts";
export type { WatchHealth } from "./reflector/watch-health.ts";
export {
  type Reflector,
  type ReflectorOptions,
  type ReflectorSource,
  type ReflectorView,
  reflector,
  type SelectiveView,
} from "./reflector.ts";
export type { EventHandler, HandlerOptions, Subscription } from "./subscription.ts";
export { SyncError } from "./sync-error.ts";
export { checkNamespaces, type View } from "./view.ts";
