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
  /** So long without a call of `next()` means health: the next delay is the first again. @default never */
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
  #baseMs: number;
  #lastMs: number | undefined;

  constructor(options: BackoffOptions) {
    this.#options = options;
    this.#clock = options.clock ?? realClock;
    this.#rng = options.rng ?? realRng;
    this.#baseMs = options.initialMs;
  }

  /** How long to wait after this failure, in milliseconds. */
  next(): number {
    const nowMs = this.#clock.monotonic();
    if (this.#healthyUntil(nowMs)) this.reset();
    this.#lastMs = nowMs;
    const delayMs = Math.min(this.#baseMs, this.#options.maxMs);
    this.#baseMs = Math.min(this.#baseMs * (this.#options.factor ?? 2), this.#options.maxMs);
    return delayMs * (1 + this.#rng.next() * (this.#options.jitter ?? 0));
  }

  /** Starts over. */
  reset(): void {
    this.#baseMs = this.#options.initialMs;
    this.#lastMs = undefined;
  }

  #healthyUntil(nowMs: number): boolean {
    const { resetAfterMs = Number.POSITIVE_INFINITY } = this.#options;
    return this.#lastMs !== undefined && nowMs - this.#lastMs > resetAfterMs;
  }
}
