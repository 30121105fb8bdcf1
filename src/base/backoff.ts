import { type Clock, realClock } from "./clock.ts";
import { type Rng, realRng } from "./random.ts";

export interface BackoffOptions {
  /** The first delay. */
  readonly initialMs: number;
  /** Longest delay before jitter. */
  readonly maxMs: number;
  /** Factor between one delay and the next. @default 2 */
  readonly factor?: number | undefined;
  /** Extends each delay by a random fraction of it, at most this one. @default 0 */
  readonly jitter?: number | undefined;
  /**
   * Resets the delay if `next()` was not called for longer than this. It must be at least the longest delay, or waiting
   * would reset it. @default never
   */
  readonly resetAfterMs?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
}

/**
 * Computes delays that grow with each failure.
 *
 * A period without failures resets them, not a single success: the delays keep growing for a server that accepts each
 * call and drops it a moment later.
 */
export class Backoff {
  readonly #options: BackoffOptions;
  readonly #clock: Clock;
  readonly #rng: Rng;
  /** Number of calls of `next()` since the last reset. */
  #failures = 0;
  /** Monotonic time of the last `next()`. */
  #lastMs = 0;

  constructor(options: BackoffOptions) {
    checkReset(options);
    this.#options = options;
    this.#clock = options.clock ?? realClock;
    this.#rng = options.rng ?? realRng;
  }

  /** Counts a failure and returns the delay in milliseconds before the next attempt. */
  next(): number {
    const { initialMs, maxMs, factor = 2, jitter = 0, resetAfterMs = never } = this.#options;
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#lastMs > resetAfterMs) this.reset();
    this.#lastMs = nowMs;
    const delayMs = Math.min(initialMs * factor ** this.#failures, maxMs);
    this.#failures += 1;
    return delayMs * (1 + this.#rng.next() * jitter);
  }

  /** Resets the delay to the first one. */
  reset(): void {
    this.#failures = 0;
  }
}

const never = Number.POSITIVE_INFINITY;

function checkReset({ maxMs, jitter = 0, resetAfterMs = never }: BackoffOptions): void {
  const longestMs = maxMs * (1 + jitter);
  if (resetAfterMs >= longestMs) return;
  throw new RangeError(`expected resetAfterMs to cover the longest delay, ${longestMs}, got ${resetAfterMs}`);
}
