import { causesOf } from "../base/index.ts";
import { ApiError } from "../client/index.ts";

/** Thrown by a reconcile: trying again is of no use until the object, or something it depends on, changes. */
export class TerminalError extends Error {
  override readonly name: string = "TerminalError";
}

/**
 * Thrown by a reconcile to be retried after exactly `afterMs` milliseconds instead of the rate limiter's delay. The reconcile
 * counts as failed.
 */
export class RetryAfterError extends Error {
  override readonly name: string = "RetryAfterError";
  readonly afterMs: number;

  constructor(message: string, options: ErrorOptions & { readonly afterMs: number }) {
    super(message, options);
    if (!Number.isFinite(options.afterMs)) {
      throw new TypeError(
        `expected afterMs of a RetryAfterError to be a finite number of milliseconds, got ${options.afterMs}`,
      );
    }
    this.afterMs = options.afterMs;
  }
}

/** Whether it, or what caused it, is a `TerminalError`. */
export function isTerminal(error: unknown): boolean {
  return causesOf(error).some((cause) => cause instanceof TerminalError);
}

/** The delay of a `RetryAfterError`: the error itself or one of its causes. */
export function retryAfterMs(error: unknown): number | undefined {
  return causesOf(error).find((cause) => cause instanceof RetryAfterError)?.afterMs;
}

/** The `Retry-After` of a server: that of the error itself or of one of its causes. */
export function serverRetryAfterMs(error: unknown): number | undefined {
  return causesOf(error).find((cause) => cause instanceof ApiError)?.retryAfterMs;
}
