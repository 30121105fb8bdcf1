import { type AnyKind, kindName } from "../api/index.ts";
import { causesOf } from "../base/index.ts";
import { ApiError } from "../client/index.ts";

/** Thrown by a reconcile that must not be retried before the object, or something that it depends on, changes. */
export class TerminalError extends Error {
  override readonly name: string = "TerminalError";
}

/**
 * Thrown by a reconcile to be retried after exactly `afterMs` milliseconds instead of the rate limiter's delay. The
 * reconcile counts as failed.
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

/** Returns true if the error or one of its causes is a `TerminalError`. */
export function isTerminal(error: unknown): boolean {
  return causesOf(error).some((cause) => cause instanceof TerminalError);
}

/** Returns the delay of a `RetryAfterError`, which may be the error itself or one of its causes. */
export function retryAfterMs(error: unknown): number | undefined {
  return causesOf(error).find((cause) => cause instanceof RetryAfterError)?.afterMs;
}

/** Returns the server's `Retry-After`, from the error itself or one of its causes. */
export function serverRetryAfterMs(error: unknown): number | undefined {
  return causesOf(error).find((cause) => cause instanceof ApiError)?.retryAfterMs;
}

/**
 * Thrown by a synchronous read of a cache that has not synced: the read would miss objects that exist. Await `ready` of
 * the manager or of the handle that `manager.add` returned, or read with the client, which reads from the server until
 * then.
 */
export class CacheNotSyncedError extends Error {
  override readonly name: string = "CacheNotSyncedError";
  readonly kind: AnyKind;

  constructor(kind: AnyKind) {
    super(
      `the cache of ${kindName(kind)} has not synced; await the manager's \`ready\` first, ` +
        "or read with the client, which reads from the server until then",
    );
    this.kind = kind;
  }
}
