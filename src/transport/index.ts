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
  isNotFound,
  isServerTimeout,
  isServiceUnavailable,
  isTooManyRequests,
  isUnauthorized,
  parseBody,
} from "./api-error.ts";
export { ByteMatcher } from "./byte-matcher.ts";
export { type ClientNodeKubeConfig, fromClientNode } from "./client-node.ts";
export type { ClusterConfig, Identity, Impersonation, RequestAuth, TlsMaterial } from "./cluster-config.ts";
export { ConfigError } from "./config-error.ts";
export { ConnectionError, isReset, isTimeout } from "./connection-error.ts";
export { Frames, FrameTooLongError, type OnFrame } from "./frames.ts";
export { type HttpTransportOptions, httpTransport } from "./http-transport.ts";
export { impersonationHeaders } from "./impersonation.ts";
export { endOfJson, endOfScalar, endOfText, maxDepth } from "./json-check.ts";
export { endOfValue, nowhere, skipMetadataValue, stopWalk, walkArray, walkObject } from "./json-walk.ts";
export { ListReader } from "./list-reader.ts";
export { loadConfig } from "./load-config.ts";
export type { LoadOptions } from "./load-options.ts";
export { type MeasuredOptions, measured, measuredLimiter, retryCounter } from "./measured.ts";
export { PageProgress } from "./page-progress.ts";
export { type RequestLimiter, type RetryOptions, type RetryReason, retrying } from "./retrying.ts";
export { type ScannedEvent, scanEvent } from "./scan-event.ts";
export { MetadataScan } from "./scan-metadata.ts";
export { traced } from "./traced.ts";
export {
  type ApiRequest,
  type ApiResponse,
  type BodyReader,
  headerOf,
  type Method,
  type OpenResponse,
  type Receiver,
  type RequestHeaders,
  type ResponseHeaders,
  readAll,
  type Transport,
} from "./transport.ts";
export { type OnWarning, warningsIn, warningsOnce } from "./warnings.ts";
export { type ChangeType, changeTypeOf, watchEventPrefixAt } from "./watch-event-prefix.ts";
export { withComponent, withHeaders, withLane } from "./with-headers.ts";
