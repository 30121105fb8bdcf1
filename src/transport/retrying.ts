import { type Clock, realClock, sleep } from "../base/index.ts";
import { retryAfterHeaderMs } from "./api-error.ts";
import { ConnectionError, isReset, isTimeout } from "./connection-error.ts";
import type { ApiRequest, ApiResponse, OpenResponse, Transport } from "./transport.ts";

export interface RetryOptions {
  /** Tries after the first. @default 10 */
  readonly retries?: number | undefined;
  /**
   * How long one request waits between its tries, in all. A response that asks for more is returned as it is: its `ApiError`
   * says how long to wait. @default 60_000
   */
  readonly maxWaitMs?: number | undefined;
  /**
   * Takes a token before each try. The first try of an opened response takes none, nor does a request with a lane.
   * @default no limit
   */
  readonly limiter?: RequestLimiter | undefined;
  /** Told of every retry, before the wait. */
  readonly onRetry?: ((request: ApiRequest, why: RetryReason) => void) | undefined;
  readonly clock?: Clock | undefined;
}

/** A token bucket, or one that is measured. */
export interface RequestLimiter {
  take(request: ApiRequest): Promise<void>;
}

export interface RetryReason {
  /** The HTTP status that asked for it, or "<error>" where there was no answer. */
  readonly code: string;
  readonly afterMs: number;
}

/**
 * Sends again what the server asked to be sent again.
 *
 * - 429 and 5xx with `Retry-After` in seconds: any verb, since the server refused it before doing anything. After a fifth of a
 *   second at the earliest, and unless all waits together would take longer than `maxWaitMs`.
 * - A broken connection: GET alone, any other may have been done. At once the first time, since a kept connection that
 *   the server had let go of breaks when it is used; then after a second each.
 * - An opened response that timed out before its head: likewise.
 * - Never: refused connections, other answers, aborted calls.
 *
 * The last answer is given as it is when the tries are used up. A last failure names the one before, if different.
 */
export function retrying(transport: Transport, options: RetryOptions = {}): Transport {
  const { limiter } = options;
  const limited = async (request: ApiRequest): Promise<ApiResponse> => {
    if (request.lane === undefined) await limiter?.take(request);
    return transport.send(request);
  };
  const sending: Tries<ApiResponse> = {
    ...options,
    attempt: limiter ? limited : (request) => transport.send(request),
    passing: isReset,
  };
  const opening: Tries<OpenResponse> = {
    ...options,
    async attempt(request, tried) {
      if (tried > 0) await limiter?.take(request);
      return transport.open(request);
    },
    passing: (error) => isReset(error) || isTimeout(error),
    discard: (response) => response.close(),
  };
  return {
    server: transport.server,
    send: (request) => withTries(request, sending),
    open: (request) => withTries(request, opening),
    close: () => transport.close(),
  };
}

interface Tries<R> extends RetryOptions {
  readonly attempt: (request: ApiRequest, tried: number) => Promise<R>;
  /** Which failures of a GET are worth another try. */
  readonly passing: (error: unknown) => boolean;
  /** Lets go of an answer that is not the last. */
  readonly discard?: ((response: R) => void) | undefined;
}

async function withTries<R extends Pick<ApiResponse, "status" | "headers">>(
  request: ApiRequest,
  tries: Tries<R>,
): Promise<R> {
  const { retries = 10, maxWaitMs = 60_000, clock = realClock } = tries;
  let earlier: unknown;
  let waitedMs = 0;
  for (let tried = 0; ; tried++) {
    let again: RetryReason | undefined;
    try {
      const response = await tries.attempt(request, tried);
      again = askedAgain(response);
      if (!again || tried === retries || waitedMs + again.afterMs > maxWaitMs) return response;
      tries.discard?.(response);
    } catch (error) {
      if (request.method !== "GET" || !tries.passing(error) || tried === retries) throw after(earlier, error);
      earlier = error;
      again = afterBreak(error, tried);
    }
    waitedMs += again.afterMs;
    tries.onRetry?.(request, again);
    await sleep(again.afterMs, { clock, signal: request.signal });
  }
}

function afterBreak(error: unknown, tried: number): RetryReason {
  return { code: "<error>", afterMs: tried === 0 && isReset(error) ? 0 : 1000 };
}

function askedAgain(response: Pick<ApiResponse, "status" | "headers">): RetryReason | undefined {
  if (response.status !== 429 && response.status < 500) return undefined;
  const afterMs = retryAfterHeaderMs(response);
  if (afterMs === undefined) return undefined;
  return { code: String(response.status), afterMs: Math.max(afterMs, minWaitMs) };
}

/** A server that asks for no wait at all gets five requests a second from one caller, not thousands. */
const minWaitMs = 200;

/** The last failure, with a word about the one before where that was another. Reasons of aborts are nobody's to change. */
function after(earlier: unknown, last: unknown): unknown {
  if (!(last instanceof ConnectionError) || !(earlier instanceof ConnectionError)) return last;
  if (earlier.code === last.code) return last;
  const { code, request, cause } = last;
  return new ConnectionError(`${last.message}; the try before ended with ${earlier.code}`, {
    code,
    request,
    cause,
  });
}
