import { type Clock, realClock, sleep } from "../base/index.ts";
import { retryAfterHeaderMs } from "./api-error.ts";
import { ConnectionError, isReset, isTimeout } from "./http/connection-error.ts";
import {
  type ApiRequest,
  type ApiResponse,
  type OpenResponse,
  type Transport,
  upgradeThrough,
} from "./transport.ts";

export interface RetryOptions {
  /** Maximum number of retries. @default 10 */
  readonly retries?: number | undefined;
  /**
   * Limit for the total wait of one request. A response that requires a longer wait is returned without a retry; its
   * `ApiError` has the delay in `retryAfterMs`. @default 60_000
   */
  readonly maxWaitMs?: number | undefined;
  /**
   * Takes a token before each attempt, except for requests with a lane and the first attempt of an opened response.
   * @default no limit
   */
  readonly limiter?: RequestLimiter | undefined;
  /** Called for every retry, before the wait. */
  readonly onRetry?: ((request: ApiRequest, reason: RetryReason) => void) | undefined;
  readonly clock?: Clock | undefined;
}

/** A rate limiter for requests, such as a token bucket. */
export interface RequestLimiter {
  take(request: ApiRequest): Promise<void>;
}

export interface RetryReason {
  /** The HTTP status of the failed attempt, or "<error>" if there was no response. */
  readonly code: string;
  readonly afterMs: number;
}

/**
 * Retries requests.
 *
 * - 429 and 5xx with `Retry-After` in seconds: every verb, because the server refused the request before it did
 *   anything. The delay is at least 200 ms. There is no retry if the total wait would exceed `maxWaitMs`.
 * - A broken connection: only GET, because the server may already have performed another verb. The first retry is
 *   immediate, because a keep-alive connection that the server has closed breaks on its next use. Later retries wait
 *   one second.
 * - An opened response that timed out before its head: as a broken connection.
 * - Never: refused connections, other responses, aborted calls, WebSockets.
 *
 * After the last retry, the response is returned as it is. The last error also names the code of the previous error, if
 * different.
 */
export function retrying(transport: Transport, options: RetryOptions = {}): Transport {
  const { limiter } = options;
  const limited = async (request: ApiRequest): Promise<ApiResponse> => {
    if (request.lane === undefined) await limiter?.take(request);
    return transport.send(request);
  };
  const sending: Attempts<ApiResponse> = {
    ...options,
    attempt: limiter ? limited : (request) => transport.send(request),
    isTransient: isReset,
  };
  const opening: Attempts<OpenResponse> = {
    ...options,
    async attempt(request, tried) {
      if (tried > 0) await limiter?.take(request);
      return transport.open(request);
    },
    isTransient: (error) => isReset(error) || isTimeout(error),
    discard: (response) => response.close(),
  };
  return {
    server: transport.server,
    send: (request) => withRetries(request, sending),
    open: (request) => withRetries(request, opening),
    upgrade: upgradeThrough(transport, async (request, upgrade) => {
      if (request.lane === undefined) await limiter?.take(request);
      return upgrade(request);
    }),
    close: () => transport.close(),
  };
}

interface Attempts<R> extends RetryOptions {
  readonly attempt: (request: ApiRequest, tried: number) => Promise<R>;
  /** Returns true if a GET that failed with this error may be retried. */
  readonly isTransient: (error: unknown) => boolean;
  /** Releases a response that is not the last. */
  readonly discard?: ((response: R) => void) | undefined;
}

async function withRetries<R extends Pick<ApiResponse, "status" | "headers">>(
  request: ApiRequest,
  attempts: Attempts<R>,
): Promise<R> {
  const { retries = 10, maxWaitMs = 60_000, clock = realClock } = attempts;
  let earlier: unknown;
  let waitedMs = 0;
  for (let tried = 0; ; tried++) {
    let retry: RetryReason | undefined;
    try {
      const response = await attempts.attempt(request, tried);
      retry = retryFor(response);
      if (!retry || tried === retries || waitedMs + retry.afterMs > maxWaitMs) return response;
      attempts.discard?.(response);
    } catch (error) {
      if (request.method !== "GET" || !attempts.isTransient(error) || tried === retries)
        throw withEarlierCode(error, earlier);
      earlier = error;
      retry = retryAfterError(error, tried);
    }
    waitedMs += retry.afterMs;
    attempts.onRetry?.(request, retry);
    await sleep(retry.afterMs, { clock, signal: request.signal });
  }
}

function retryAfterError(error: unknown, tried: number): RetryReason {
  return { code: "<error>", afterMs: tried === 0 && isReset(error) ? 0 : 1000 };
}

function retryFor(response: Pick<ApiResponse, "status" | "headers">): RetryReason | undefined {
  if (response.status !== 429 && response.status < 500) return undefined;
  const afterMs = retryAfterHeaderMs(response);
  if (afterMs === undefined) return undefined;
  return { code: String(response.status), afterMs: Math.max(afterMs, minWaitMs) };
}

/**
 * Minimum delay, so that a server with `Retry-After: 0` gets five requests per second from one caller, not thousands.
 */
const minWaitMs = 200;

/**
 * Returns the last error, with the code of the previous error if it is different. An abort reason is returned
 * unchanged.
 */
function withEarlierCode(last: unknown, earlier: unknown): unknown {
  if (!(last instanceof ConnectionError) || !(earlier instanceof ConnectionError)) return last;
  if (earlier.code === last.code) return last;
  const { code, request, cause } = last;
  return new ConnectionError(`${last.message}; the previous attempt failed with ${earlier.code}`, {
    code,
    request,
    cause,
  });
}
