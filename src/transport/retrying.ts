import { type Clock, realClock, sleep, type TokenBucket } from "../base/index.ts";
import { retryAfterHeaderMs } from "./api-error.ts";
import { isReset, isTimeout } from "./connection-error.ts";
import type { ApiRequest, ApiResponse, OpenResponse, Transport } from "./transport.ts";

export interface RetryOptions {
  /** Tries after the first. @default 10 */
  readonly retries?: number | undefined;
  /** Takes a token before each try. The first try of an opened response takes none. @default no limit */
  readonly limiter?: TokenBucket | undefined;
  /** Told of every retry. */
  readonly onRetry?:
    | ((request: ApiRequest, why: { readonly code: string; readonly afterMs: number }) => void)
    | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Sends again what the server asked to be sent again.
 *
 * - 429 and 5xx with `Retry-After` in seconds: any verb, since the server refused it before doing anything.
 * - A broken connection: GET alone, after a second; any other may have been done.
 * - An opened response that timed out before its head: likewise.
 * - Never: refused connections, other answers, aborted calls.
 *
 * The last answer is given as it is when the tries are used up. A last failure names the one before, if different.
 */
export function retrying(transport: Transport, options: RetryOptions = {}): Transport {
  const { limiter } = options;
  return {
    server: transport.server,
    close: () => transport.close(),
    async send(request) {
      const attempt = async (): Promise<ApiResponse> => {
        if (limiter) await limiter.take({ signal: request.signal });
        return transport.send(request);
      };
      return withTries(request, attempt, { ...options, retriable: isReset });
    },
    async open(request) {
      let first = true;
      const attempt = async (): Promise<OpenResponse> => {
        if (limiter && !first) await limiter.take({ signal: request.signal });
        first = false;
        return transport.open(request);
      };
      const retriable = (error: unknown): boolean => isReset(error) || isTimeout(error);
      return withTries(request, attempt, { ...options, retriable, discard: (response) => response.close() });
    },
  };
}

interface Tries<R> extends RetryOptions {
  /** Which failures of a GET are worth another try. */
  readonly retriable: (error: unknown) => boolean;
  /** Lets go of an answer that is not the last. */
  readonly discard?: ((response: R) => void) | undefined;
}

async function withTries<R extends Answer>(
  request: ApiRequest,
  attempt: () => Promise<R>,
  tries: Tries<R>,
): Promise<R> {
  const { retries = 10, clock = realClock } = tries;
  let earlier: Error | undefined;
  for (let left = retries; ; left--) {
    const outcome = await tryOnce(request, attempt, tries.retriable);
    if (outcome.again === undefined || left === 0) return settle(outcome, earlier);
    if ("response" in outcome) tries.discard?.(outcome.response);
    else earlier = outcome.error;
    tries.onRetry?.(request, outcome.again);
    await sleep(outcome.again.afterMs, { clock, signal: request.signal });
  }
}

type Answer = Pick<ApiResponse, "status" | "headers">;
interface Again {
  readonly code: string;
  readonly afterMs: number;
}
type Outcome<R> =
  | { readonly response: R; readonly again: Again | undefined }
  | { readonly error: Error; readonly again: Again | undefined };

/** How long to wait after a connection broke, as if the server had said so. */
const afterResetMs = 1000;

async function tryOnce<R extends Answer>(
  request: ApiRequest,
  attempt: () => Promise<R>,
  retriable: (error: unknown) => boolean,
): Promise<Outcome<R>> {
  try {
    const response = await attempt();
    return { response, again: askedAgain(response) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const again = request.method === "GET" && retriable(error);
    return { error, again: again ? { code: "<error>", afterMs: afterResetMs } : undefined };
  }
}

function askedAgain(response: Answer): Again | undefined {
  if (response.status !== 429 && response.status < 500) return undefined;
  const afterMs = retryAfterHeaderMs(response);
  return afterMs === undefined ? undefined : { code: String(response.status), afterMs };
}

function settle<R>(outcome: Outcome<R>, earlier: Error | undefined): R {
  if ("response" in outcome) return outcome.response;
  const { error } = outcome;
  if (earlier && earlier.message !== error.message) error.message += `; the try before: ${earlier.message}`;
  throw error;
}
