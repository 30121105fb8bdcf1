/**
 * The names that most controllers need. Each public folder exports the others, such as `trimtab/client`.
 *
 * @module
 */
export { keyOf, kind, parseKey } from "./api/index.ts";
export {
  createLogger,
  type LogEntry,
  type Logger,
  type LoggerOptions,
  loggerTo,
  type Metrics,
  openTelemetry,
  type PrometheusMetrics,
  prometheus,
  shutdownSignal,
  type Tracer,
} from "./base/index.ts";
export { ApiError, connect, createOrPatch, createOrUpdate } from "./client/index.ts";
export {
  and,
  annotationsChanged,
  type Cache,
  CacheNotSyncedError,
  type Channel,
  type ChannelOptions,
  type Context,
  type Controller,
  type ControllerOptions,
  channel,
  controller,
  external,
  finalizersChanged,
  generationChanged,
  hasLabels,
  type Index,
  index,
  labelsChanged,
  type Mapper,
  not,
  type OtherCluster,
  type OtherClusterOptions,
  or,
  otherCluster,
  owns,
  type Predicate,
  poll,
  type Reason,
  type Requeue,
  RetryAfterError,
  resourceVersionChanged,
  specOrMetadataChanged,
  TerminalError,
  type Trigger,
  type WatchOf,
  watches,
} from "./controller/index.ts";
export type { DetectorLimits } from "./detector/index.ts";
export { LeadershipLostError, NotLeaderError } from "./election/index.ts";
export {
  type CachedKind,
  type CachedView,
  type CacheOptions,
  cached,
  type HealthCheck,
  type HealthOptions,
  type LeaderElectionOptions,
  type Manager,
  type ManagerOptions,
  type MetricsOptions,
  manager,
  type Runnable,
  type RunnableContext,
  type RunnableHandle,
  type TlsFiles,
  type TlsOptions,
} from "./manager/index.ts";
export { type EventRecorder, recorder } from "./recorder/index.ts";
