/**
 * Finds a cluster, authenticates to it, and carries requests and responses as bytes.
 *
 * It guarantees that connections are reused and closed, that every call ends when its signal aborts, that `Retry-After`
 * is obeyed, and that each failure is one error that names the request and what to check. It does not interpret
 * objects, except `Status` and the position of `metadata` in an object's bytes.
 *
 * @module
 */
export {
  ApiError,
  type ApiErrorFields,
  apiErrorFrom,
  apiErrorFromStatus,
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isMethodNotAllowed,
  isNamespaceTerminating,
  isNotFound,
  isServerTimeout,
  isServiceUnavailable,
  isTooManyRequests,
  isUnauthorized,
  parseBody,
} from "./api-error.ts";
export { type ClientNodeKubeConfig, fromClientNode } from "./config/client-node.ts";
export type {
  ClusterConfig,
  Identity,
  Impersonation,
  RequestAuth,
  TlsMaterial,
} from "./config/cluster-config.ts";
export { ConfigError } from "./config/config-error.ts";
export { impersonationHeaders } from "./config/impersonation.ts";
export { loadConfig } from "./config/load-config.ts";
export type { LoadOptions } from "./config/load-options.ts";
export { ConnectionError, isReset, isTimeout } from "./http/connection-error.ts";
export { type HttpTransportOptions, httpTransport } from "./http/http-transport.ts";
export { ByteMatcher } from "./json/byte-matcher.ts";
export { endOfJson, endOfScalar, endOfText, maxDepth } from "./json/json-check.ts";
export { endOfValue, nowhere, skipMetadataValue, stopWalk, walkArray, walkObject } from "./json/json-walk.ts";
export { MetadataScan } from "./json/scan-metadata.ts";
export { type MeasuredOptions, measured, measuredLimiter } from "./measured.ts";
export { PageProgress } from "./page-progress.ts";
export { RequestMeter } from "./request-meter.ts";
export { type RequestLimiter, type RetryOptions, type RetryReason, retrying } from "./retrying.ts";
export {
  type BodyConsumer,
  connectionError,
  consumeBody,
  maxSilenceMs,
  type StreamRequest,
  watchSilent,
} from "./streaming/consume-body.ts";
export { EventScan, type ScannedEvent, scanEvent } from "./streaming/event-scan.ts";
export { Frames, FrameTooLongError, type OnFrame } from "./streaming/frames.ts";
export { ListReader, notAListError, type OnItem } from "./streaming/list-reader.ts";
export { withoutManagedFields } from "./streaming/managed-fields.ts";
export { type ParsedEvent, parseEvent } from "./streaming/parse-event.ts";
export { ParsedItems } from "./streaming/parsed-items.ts";
export { WatchBackoff, watchQuery } from "./streaming/watch-backoff.ts";
export type { ChangeType } from "./streaming/watch-event-prefix.ts";
export { WatchFrames } from "./streaming/watch-frames.ts";
export { traced } from "./traced.ts";
export {
  type ApiRequest,
  type ApiResponse,
  type BodyReader,
  headerOf,
  type MessageConnection,
  type MessageReceiver,
  type Method,
  type OpenResponse,
  type Receiver,
  type RequestHeaders,
  type ResponseHeaders,
  readAll,
  type Transport,
  type Upgrade,
  type UpgradeRequest,
  upgradeThrough,
} from "./transport.ts";
export { type OnWarning, warningsIn, warningsOnce } from "./warnings.ts";
export { withComponent, withHeaders, withLane } from "./with-headers.ts";
