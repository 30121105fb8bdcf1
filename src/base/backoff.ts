import { type Clock, realClock } from "./clock.ts";
import { type Rng, realRng } from "./random.ts";

export interface BackoffOptions {
  /** The first delay. */
  readonly initialMs: number;
  /** No delay is longer, jitter aside. */
  readonly maxMs: number;
  /** Each delay is so many times the one before. @default 2 */
  readonly factor?: number | undefined;
  /** Each delay is lengthened by up to this share of itself. @default 0 */
  readonly jitter?: number | undefined;
  /**
   * Longer than this without a call of `next()` means health: the next delay is the first again.
   * It has to cover the longest delay, or waiting would count as health. @default never
   */
  readonly resetAfterMs?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
}

/**
 * Delays that grow from one failure to the next, and start over after health.
 *
 * Health is time without failure, not one success: a server that accepts a call and drops it a
 * moment later keeps being waited for longer and longer.
 */
export class Backoff {
  readonly #options: BackoffOptions;
  readonly #clock: Clock;
  readonly #rng: Rng;
  /** Calls of `next()` since the start, `reset()` or health. */
  #failures = 0;
  /** When `next()` was called last. */
  #lastMs = 0;

  constructor(options: BackoffOptions) {
    checkReset(options);
    this.#options = options;
    this.#clock = options.clock ?? realClock;
    this.#rng = options.rng ?? realRng;
  }

  /** How long to wait after this failure, in milliseconds. */
  next(): number {
    const { initialMs, maxMs, factor = 2, jitter = 0, resetAfterMs = never } = this.#options;
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#lastMs > resetAfterMs) this.reset();
    this.#lastMs = nowMs;
    const delayMs = Math.min(initialMs * factor ** this.#failures, maxMs);
    this.#failures += 1;
    return delayMs * (1 + this.#rng.next() * jitter);
  }

  /** Starts over. */
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
