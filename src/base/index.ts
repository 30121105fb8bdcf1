/**
 * The foundation of all other folders: time, randomness, waiting, signals, and interfaces for logs, metrics and traces.
 *
 * No other folder reads the wall clock, starts a timer or generates a random number directly, so that a test or the
 * simulator can control all three. This folder does not depend on Kubernetes.
 *
 * @module
 */
export { AbortPool } from "./abort-pool.ts";
export { asError, causesOf, isError } from "./as-error.ts";
export { Backoff, type BackoffOptions } from "./backoff.ts";
export { BoundedMap } from "./bounded-map.ts";
export {
  type Clock,
  realClock,
  type SleepOptions,
  sleep,
  type Timer,
  type TimerOptions,
} from "./clock.ts";
export { type Deadline, type DeadlineOptions, deadline, TimeoutError } from "./deadline.ts";
export { type Deferred, deferred } from "./deferred.ts";
export { Feed, type FeedOptions } from "./feed.ts";
export { Fifo } from "./fifo.ts";
export { Heap, type HeapEntry } from "./heap.ts";
export { type ListenAddress, listenAddress } from "./listen-address.ts";
export {
  guardedLogger,
  type LogEntry,
  type LogFields,
  type Logger,
  type LogLevel,
  loggerTo,
  logLevels,
  silentLogger,
} from "./log.ts";
export { isLoopback } from "./loopback.ts";
export {
  type Counter,
  type Gauge,
  type Histogram,
  type HistogramDefinition,
  type LabelValues,
  type MetricDefinition,
  type Metrics,
  noMetrics,
} from "./metrics.ts";
export { Milestone } from "./milestone.ts";
export { type OpenTelemetryApi, type OpenTelemetryOptions, openTelemetry } from "./open-telemetry.ts";
export { createLogger, type LoggerOptions, type LogStream } from "./pino-logger.ts";
export { type MetricsTextOptions, type PrometheusMetrics, prometheus } from "./prometheus.ts";
export { below, between, type Rng, realRng, secretToken, seededRng, uuid } from "./random.ts";
export { placeOf } from "./readable-line.ts";
export { onAbort, type SignalSource, shutdownSignal, signalFrom, untilAborted } from "./signals.ts";
export { runAtOnce, type Steps, TimeSlice, type WaitingSteps, waitFor } from "./time-slice.ts";
export { microTimestamp, timestamp, timestampMs } from "./timestamp.ts";
export { TokenBucket, type TokenBucketOptions } from "./token-bucket.ts";
export {
  guardedTracer,
  noTracer,
  type Span,
  type SpanAttributes,
  type SpanDefinition,
  type Tracer,
} from "./tracer.ts";
export { unlessAborted } from "./unless-aborted.ts";
export { unreachable } from "./unreachable.ts";
export { settled, VirtualClock } from "./virtual-clock.ts";
