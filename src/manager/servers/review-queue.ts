import { asError, type Clock, onAbort, TokenBucket } from "../../base/index.ts";

export interface ReviewQueueOptions {
  /** How many reviews are in flight at once. */
  readonly maxInFlight: number;
  /** How many reviews wait while that many are in flight. */
  readonly maxQueued: number;
  /** How many reviews of one caller are queued or in flight at once. */
  readonly maxPerCaller: number;
  /** How long a review is queued, in milliseconds. */
  readonly maxWaitMs: number;
  /** How many reviews start in a second, after a burst of twice as many. */
  readonly perSecond: number;
  /** Rejects queued reviews when it aborts. */
  readonly signal?: AbortSignal | undefined;
  readonly clock: Clock;
}

/** Thrown for a review that was not sent because too many others are queued or in flight. */
export class TooManyReviewsError extends Error {
  override readonly name: string = "TooManyReviewsError";
}

/**
 * Limits the reviews that are sent to the API server, in number and rate. Reviews start in the order of their arrival.
 *
 * One caller may have only `maxPerCaller` of them pending, so a caller that sends many requests is throttled before it
 * fills the queue.
 */
export class ReviewQueue {
  readonly #options: ReviewQueueOptions;
  readonly #bucket: TokenBucket;
  /** Starts each queued review, the oldest first. Empty while fewer than `maxInFlight` reviews are in flight. */
  readonly #starts = new Set<() => void>();
  /** Number of queued and in-flight reviews of each caller that has any. */
  readonly #pending = new Map<string, number>();
  #inFlight = 0;

  constructor(options: ReviewQueueOptions) {
    const { perSecond, clock } = options;
    this.#options = options;
    this.#bucket = new TokenBucket({ perSecond, burst: 2 * perSecond, clock });
  }

  /** Runs the review as soon as the limits allow. Throws `TooManyReviewsError` if that takes too long. */
  async run<R>(caller: string, review: () => Promise<R>): Promise<R> {
    const { maxInFlight, maxQueued, maxPerCaller, signal } = this.#options;
    signal?.throwIfAborted();
    const pending = this.#pending.get(caller) ?? 0;
    const isBusy = this.#inFlight >= maxInFlight;
    if (pending >= maxPerCaller || (isBusy && this.#starts.size >= maxQueued))
      throw new TooManyReviewsError();
    this.#pending.set(caller, pending + 1);
    try {
      if (isBusy) await this.#queued();
      else this.#inFlight += 1;
      try {
        await this.#bucket.take({ signal });
        return await review();
      } finally {
        this.#startNext();
      }
    } finally {
      this.#leave(caller);
    }
  }

  /** Resolves when a review that has ended leaves its place in flight to this one. */
  #queued(): Promise<void> {
    const { maxWaitMs, signal, clock } = this.#options;
    return new Promise((resolve, reject) => {
      const settle = (end: () => void): void => {
        this.#starts.delete(start);
        timer.cancel();
        aborted[Symbol.dispose]();
        end();
      };
      const start = (): void => settle(resolve);
      this.#starts.add(start);
      const timer = clock.timer(maxWaitMs, () => settle(() => reject(new TooManyReviewsError())));
      const aborted = onAbort(signal, (reason) => settle(() => reject(asError(reason))));
    });
  }

  #startNext(): void {
    const [start] = this.#starts;
    if (start) start();
    else this.#inFlight -= 1;
  }

  #leave(caller: string): void {
    const left = (this.#pending.get(caller) ?? 0) - 1;
    if (left > 0) this.#pending.set(caller, left);
    else this.#pending.delete(caller);
  }
}
