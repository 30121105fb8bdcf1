import { type Clock, type Deferred, deferred, realClock, type Timer } from "../base/index.ts";
import type { ClockWatch, Moment } from "./clock-watch.ts";

/** Thrown when leadership ended before the work did. */
export class LeadershipLostError extends Error {
  override readonly name: string = "LeadershipLostError";
}

export interface TermOptions {
  /** How long the term lasts after the last renewal was sent. */
  readonly lastsMs: number;
  /** Name of the lease, for messages. */
  readonly lease: string;
  readonly clock?: Clock | undefined;
  /** Measures the moments of the term, by the same clock. */
  readonly watch: ClockWatch;
}

/**
 * One term of leadership. It lasts until `lastsMs` after its last renewal was sent, by the local clock, or until it is
 * ended. Once over, it stays over.
 *
 * A process that was paused finds out when it reads `over`, which checks the monotonic clock and does not wait for a
 * timer.
 *
 * If the wall clock runs ahead of the monotonic one, the machine was suspended or the wall clock was set, and a process
 * cannot tell the two apart. The term is then `inDoubt` until a renewal that was sent afterwards has succeeded, even if
 * the wall clock is set back meanwhile.
 */
export class Term {
  readonly #options: TermOptions;
  readonly #clock: Clock;
  readonly #ended = new AbortController();
  #renewed: Moment;
  #timer: Timer | undefined;
  /** Error of the last renewal, if it failed. */
  #failure: unknown;
  /** The promise of callers that wait for the next renewal or the end. */
  #next: Deferred<void> | undefined;

  /** @param sent When the write that acquired the lease was sent. */
  constructor(sent: Moment, options: TermOptions) {
    this.#options = options;
    this.#clock = options.clock ?? realClock;
    this.#renewed = sent;
    this.#watch();
  }

  /** Aborts with the reason when the term is over. It is late in a paused process: read `over` instead. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  get over(): boolean {
    if (!this.#ended.signal.aborted && this.#leftMs() <= 0) this.end(this.#expired());
    return this.#ended.signal.aborted;
  }

  /**
   * True if the lease may have expired unnoticed: the wall clock ran ahead of the monotonic one since the last renewal.
   */
  get inDoubt(): boolean {
    if (this.over) return false;
    return this.#options.watch.read().aheadMs - this.#renewed.aheadMs > toleratedMs;
  }

  /** Resolves at the next renewal or the end of the term. */
  get renewal(): Promise<void> {
    this.#next ??= deferred();
    return this.#next.promise;
  }

  /** Extends the term from `sent`. Has no effect when it is over. */
  renew(sent: Moment): void {
    if (this.over) return;
    this.#renewed = sent;
    this.#failure = undefined;
    this.#watch();
    this.#wake();
  }

  /** Records the error for the reason, in case the term ends without a renewal. */
  renewalFailed(error: unknown): void {
    this.#failure = error;
  }

  end(reason: unknown): void {
    this.#timer?.cancel();
    this.#ended.abort(reason);
    this.#wake();
  }

  #wake(): void {
    this.#next?.resolve();
    this.#next = undefined;
  }

  #watch(): void {
    this.#timer?.cancel();
    if (this.over) return;
    const wholeMs = Math.ceil(this.#leftMs()); // a fraction of a millisecond may not advance the clock
    this.#timer = this.#clock.timer(wholeMs, () => this.#due(), { background: true });
  }

  /** Ends the term if it is over. Timers may fire a little early. */
  #due(): void {
    if (!this.over) this.#watch();
  }

  #leftMs(): number {
    return this.#options.lastsMs - (this.#clock.monotonic() - this.#renewed.monotonicMs);
  }

  #expired(): LeadershipLostError {
    const { lease, lastsMs } = this.#options;
    const why = this.#failure instanceof Error ? `: ${this.#failure.message}` : "";
    return new LeadershipLostError(
      `expected to renew lease ${lease} within ${lastsMs} ms, got no success${why}`,
      {
        cause: this.#failure,
      },
    );
  }
}

/** How far the wall clock may run ahead of the monotonic one. It is less than leaseDurationMs - renewDeadlineMs. */
const toleratedMs = 1000;
