/**
 * Time, chance, waiting, signals, and the ports for logs, metrics and traces: what every other folder stands on.
 *
 * It promises that nothing above it needs the wall clock, a timer or a random number of its own, so that a test or
 * the simulator can own all three. It knows nothing of Kubernetes.
 *
 * @module
 */
export { AbortPool } from "./abort-pool.ts";
export { asError, causesOf, isError } from "./as-error.ts";
export { Backoff, type BackoffOptions } from "./backoff.ts";
export {
  type Clock,
  realClock,
  type SleepOptions,
  sleep,
  type Timer,
  type TimerOptions,
} from "./clock.ts";
export { type Deadline, type DeadlineOptions, deadline, TimeoutError } from "./deadline.ts";
export { Feed, type FeedOptions } from "./feed.ts";
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
export { type OpenTelemetryApi, type OpenTelemetryOptions, openTelemetry } from "./open-telemetry.ts";
export { createLogger, type LoggerOptions, type LogStream } from "./pino-logger.ts";
export { type PrometheusMetrics, prometheus } from "./prometheus.ts";
export { below, between, type Rng, realRng, secretToken, seededRng, uuid } from "./random.ts";
export { placeOf } from "./readable-line.ts";
export { Recent } from "./recent.ts";
export { onAbort, type SignalSource, shutdownSignal, signalFrom } from "./signals.ts";
export { runAtOnce, type Steps, TimeSlice } from "./time-slice.ts";
export { microTimestamp, timestamp } from "./timestamp.ts";
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
