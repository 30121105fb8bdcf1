/**
 * Controllers: the objects that they reconcile, the triggers that queue keys, and the reconcile loop.
 *
 * A key is reconciled by one worker at a time, and again if it was queued meanwhile. Reconciles start after all caches
 * of the controller have synced. A reconcile knows the reasons why it runs. Each key has its own backoff after errors.
 * The manager starts and stops controllers.
 *
 * @module
 */
export type { Cache, CacheReader } from "./cache.ts";
export type { CacheHandlerOptions } from "./cache-handlers.ts";
export { CachingClient, type CachingClientOptions } from "./caching-client.ts";
export { type Channel, type ChannelOptions, channel } from "./channel.ts";
export {
  type AppliedChildren,
  type ApplyOwned,
  type ApplyOwnedOptions,
  type Child,
  child,
  type PrunedChild,
} from "./child.ts";
export {
  type Context,
  type Controller,
  type ControllerOptions,
  controller,
  type Requeue,
} from "./controller.ts";
export type { ControllerEnvironment } from "./controller-environment.ts";
export { DeclaredCache } from "./declared-cache.ts";
export { CacheNotSyncedError, isTerminal, RetryAfterError, TerminalError } from "./errors.ts";
export { type Index, type IndexLookup, type IndexValue, index } from "./object-index.ts";
export {
  type ClusterCache,
  type InformerSource,
  OtherCluster,
  type OtherClusterOptions,
  otherCluster,
} from "./other-cluster.ts";
export {
  and,
  annotationsChanged,
  finalizersChanged,
  generationChanged,
  hasLabels,
  labelsChanged,
  not,
  or,
  type Predicate,
  resourceVersionChanged,
  specOrMetadataChanged,
} from "./predicates.ts";
export type { Reason, ReasonEvent } from "./reason.ts";
export { RunningController, type WorkSignals } from "./running-controller.ts";
export {
  external,
  type Mapper,
  owns,
  poll,
  type Trigger,
  type WatchOf,
  watches,
} from "./trigger.ts";
export type { AwaitedState, UntilOf, UntilOptions } from "./until.ts";
