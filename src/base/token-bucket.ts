import { asError } from "./as-error.ts";
import { type Clock, realClock, type SleepOptions, sleep } from "./clock.ts";

export interface TokenBucketOptions {
  readonly perSecond: number;
  /** How many may pass at once after a rest. The bucket starts full. */
  readonly burst: number;
  readonly clock?: Clock | undefined;
}

/** Lets `burst` pass at once and `perSecond` from then on. */
export class TokenBucket {
  readonly #perMs: number;
  readonly #burst: number;
  readonly #clock: Clock;
  /** Tokens at `#atMs`. Below zero, that many callers are waiting for theirs. */
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

  /** Takes a token if there is one. */
  tryTake(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Takes the next token and says in how many milliseconds it is there. */
  reserve(): number {
    this.#refill();
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : -this.#tokens / this.#perMs;
  }

  /**
   * Resolves when a token is taken; rejects with the signal's reason when that comes first.
   * An aborted wait gives its token to those who come later; who waits already keeps their turn.
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
