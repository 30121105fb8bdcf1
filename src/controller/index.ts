/**
 * Controllers: which objects they are for, what makes them look again, and the loop that reconciles.
 *
 * It promises that a key is reconciled by one worker at a time and again if anything happened meanwhile, that nothing is
 * reconciled before the caches it reads are filled, that a reconcile knows why it runs, and that errors back off for each
 * key by itself. What runs controllers, and when, is the manager's business.
 *
 * @module
 */
export type { Cache } from "./cache.ts";
export { CacheNotSyncedError } from "./cache-not-synced-error.ts";
export { CachingClient, type CachingClientOptions } from "./caching-client.ts";
export { type Channel, type ChannelOptions, channel } from "./channel.ts";
export {
  type Context,
  type Controller,
  type ControllerOptions,
  controller,
  type Requeue,
} from "./controller.ts";
export type { ControllerEnvironment } from "./controller-environment.ts";
export { DeclaredCache } from "./declared-cache.ts";
export { isTerminal, RetryAfterError, TerminalError } from "./errors.ts";
export { type ClusterCache, OtherCluster, type OtherClusterOptions, otherCluster } from "./other-cluster.ts";
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
