import { inspect } from "node:util";
import type { Clock } from "../base/index.ts";
import type { Monitor } from "../detector/index.ts";
import type { Lease, WorkQueue } from "../queue/index.ts";
import type { Requeue } from "./controller.ts";
import { retryAfterMs, serverRetryAfterMs } from "./errors.ts";
import { type Reason, reasonOf } from "./reason.ts";

export interface RetryScheduleOptions {
  /** The controller's name. */
  readonly controller: string;
  readonly queue: WorkQueue<string, Reason>;
  /** The clock of the queue. */
  readonly clock: Clock;
  readonly monitor: Monitor | undefined;
}

/**
 * Decides when a key is reconciled again after a failure or on request, and counts its attempts.
 *
 * Keys keep their priority. A key that fails, or requests an immediate requeue, while its retry is still pending was
 * reconciled for another reason. The pending retry stays as it is, so that events neither reset nor inflate the
 * backoff.
 */
export class RetrySchedule {
  readonly #options: RetryScheduleOptions;
  /** Keys that failed or requested an immediate requeue, until they succeed. */
  readonly #pending = new Map<string, PendingRetry>();

  constructor(options: RetryScheduleOptions) {
    this.#options = options;
  }

  /** Attempt number of the next reconcile: 1 for the first try, reset after a success. */
  attempt(key: string): number {
    if (this.#pending.size === 0) return 1;
    return (this.#pending.get(key)?.failures ?? 0) + 1;
  }

  /** Resets the key's backoff and its attempts. */
  succeeded(key: string): void {
    this.#options.queue.forget(key);
    if (this.#pending.size > 0) this.#pending.delete(key);
  }

  /** Counts a failure that is not retried. */
  failedForGood(key: string): void {
    this.#pending.set(key, { dueMs: 0, failures: this.attempt(key) });
  }

  /**
   * Schedules a key whose reconcile succeeded and returned a `Requeue`. With a delay of 0 or less, the rate limiter
   * computes the delay, and the key's failures are kept.
   * @returns the result label for metrics
   */
  requeue(lease: RetriedLease, { requeueAfterMs }: Requeue): "requeue" | "requeue_after" {
    const { controller, queue, monitor } = this.#options;
    const { key, priority } = lease;
    checkDelay(controller, requeueAfterMs);
    if (!(requeueAfterMs > 0)) {
      this.#retryAfterBackoff(lease, { event: "requeue", failures: 0, atLeastMs: 0 });
      return "requeue";
    }
    this.succeeded(key);
    queue.add(key, { afterMs: requeueAfterMs, reasons: [reasonOf("requeue", key)], priority });
    monitor?.requeued(key, requeueAfterMs);
    return "requeue_after";
  }

  /**
   * Schedules a key that failed, after its backoff or the server's `Retry-After`, whichever is longer. A
   * `RetryAfterError` sets the exact delay.
   * @returns milliseconds until the retry
   */
  retry(lease: RetriedLease, error: Error): number {
    const exactMs = retryAfterMs(error);
    if (exactMs !== undefined) return this.#retryExactly(lease, exactMs);
    return this.#retryAfterBackoff(lease, {
      event: "retry",
      failures: 1,
      atLeastMs: serverRetryAfterMs(error) ?? 0,
    });
  }

  #retryExactly({ key, priority }: RetriedLease, afterMs: number): number {
    const { queue, clock } = this.#options;
    queue.add(key, { afterMs, reasons: [reasonOf("retry", key)], priority });
    return this.#scheduled(key, { dueMs: clock.monotonic() + afterMs, failures: this.attempt(key) });
  }

  #retryAfterBackoff({ key, priority }: RetriedLease, { event, failures, atLeastMs }: Backoff): number {
    const { queue, clock } = this.#options;
    const nowMs = clock.monotonic();
    const pending = this.#pending.get(key) ?? { dueMs: 0, failures: 0 };
    if (pending.dueMs > nowMs && queue.isDelayed(key)) return pending.dueMs - nowMs;
    const afterMs = queue.retry(key, { reasons: [reasonOf(event, key)], priority, atLeastMs });
    return this.#scheduled(key, { dueMs: nowMs + afterMs, failures: pending.failures + failures });
  }

  #scheduled(key: string, pending: PendingRetry): number {
    const { clock, monitor } = this.#options;
    const afterMs = Math.max(0, pending.dueMs - clock.monotonic());
    this.#pending.set(key, pending);
    monitor?.requeued(key, afterMs);
    return afterMs;
  }
}

interface PendingRetry {
  /** Monotonic time of the retry, or 0 if the key is not retried. Timers may fire slightly earlier. */
  readonly dueMs: number;
  /** Failures since the last success. */
  readonly failures: number;
}

interface Backoff {
  readonly event: "retry" | "requeue";
  /** Failures to count: 0 or 1. */
  readonly failures: number;
  readonly atLeastMs: number;
}

/** The lease of the key's last reconcile. */
export type RetriedLease = Pick<Lease<string, Reason>, "key" | "priority">;

function checkDelay(controller: string, requeueAfterMs: unknown): void {
  if (Number.isFinite(requeueAfterMs)) return;
  throw new TypeError(
    `expected requeueAfterMs from controller ${controller} to be a finite number of milliseconds, ` +
      `got ${inspect(requeueAfterMs)}; return nothing to wait for the next event`,
  );
}
