import { asError } from "./as-error.ts";
import { type Clock, realClock, type SleepOptions, sleep } from "./clock.ts";

export interface TokenBucketOptions {
  readonly perSecond: number;
  /** Capacity of the bucket, which starts full. */
  readonly burst: number;
  readonly clock?: Clock | undefined;
}

/** A rate limiter that allows `burst` calls at once, then `perSecond`. */
export class TokenBucket {
  readonly #perMs: number;
  readonly #burst: number;
  readonly #clock: Clock;
  /** Tokens at `#atMs`. A negative number counts waiting callers. */
  #tokens: number;
  #atMs: number;

  constructor({ perSecond, burst, clock = realClock }: TokenBucketOptions) {
    if (!(perSecond > 0) || !(burst >= 1)) {
      throw new RangeError(`expected perSecond > 0 and burst >= 1, got ${perSecond} and ${burst}`);
    }
    this.#perMs = perSecond / 1000;
    this.#burst = burst;
    this.#clock = clock;
    this.#tokens = burst;
    this.#atMs = clock.monotonic();
  }

  /** Takes a token if one is available. Returns true if it did. */
  tryTake(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Takes the next token and returns the milliseconds until it is available. */
  reserve(): number {
    this.#refill();
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : -this.#tokens / this.#perMs;
  }

  /**
   * Resolves when a token is available. Rejects with the signal's reason if the signal aborts first. An aborted wait
   * returns its token for later callers; callers that already wait keep their time.
   */
  async take({ signal }: Pick<SleepOptions, "signal"> = {}): Promise<void> {
    if (signal?.aborted) throw asError(signal.reason);
    const waitMs = this.reserve();
    if (waitMs === 0) return;
    try {
      await sleep(waitMs, { clock: this.#clock, signal });
    } catch (error) {
      this.#tokens += 1;
      throw error;
    }
  }

  #refill(): void {
    const nowMs = this.#clock.monotonic();
    this.#tokens = Math.min(this.#burst, this.#tokens + (nowMs - this.#atMs) * this.#perMs);
    this.#atMs = nowMs;
  }
}
