/**
 * Local, always current copies of what the API server holds.
 *
 * It promises that a copy never goes back in time, that every change reaches every handler in order and every deletion at
 * least once, and that what it hands out is the reader's own, or frozen. It keeps objects as bytes and parses them when they
 * are read.
 *
 * @module
 */
export { type InformerFactory, type InformersOptions, informers } from "./factory.ts";
export type { IndexValues } from "./field-index.ts";
export type { Informer } from "./informer.ts";
export type { IterateOptions, Iteration } from "./iteration.ts";
export {
  metadataFieldChanged,
  type ObjectAdded,
  type ObjectDeleted,
  type ObjectEvent,
  type ObjectUpdated,
  releaseEvent,
} from "./object-event.ts";
export type { Overlay } from "./overlay.ts";
export type { DeletedObject, Pending, Response } from "./own-write.ts";
export { matcherOf, type Selection } from "./selection.ts";
export type { Lister } from "./store.ts";
export type { EventHandler, HandlerOptions, Subscription } from "./subscription.ts";
export { SyncError } from "./sync-error.ts";
export { checkNamespaces, type View } from "./view.ts";
export type { WatchHealth } from "./watch-health.ts";
