import { type Clock, realClock, type Timer } from "../base/index.ts";

/** Leadership ended before the work did. */
export class LeadershipLostError extends Error {
  override readonly name: string = "LeadershipLostError";
}

/** A moment by both clocks of a machine. */
export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

export function momentOf(clock: Clock): Moment {
  return { monotonicMs: clock.monotonic(), wallMs: clock.now() };
}

export interface TermOptions {
  /** How long it lasts after the last renewal was sent. */
  readonly lastsMs: number;
  /** Names the lease, for messages. */
  readonly lease: string;
  readonly clock?: Clock | undefined;
}

/**
 * One time of leading. It lasts until a while after its last renewal was sent, by the local clock, or until it is ended;
 * and once over it stays over.
 *
 * A process that stood still finds out when it asks: `over` looks at the clock, and does not wait for a timer to say so.
 * Both clocks are looked at, since the monotonic one may stand still while a machine sleeps. So a wall clock that is set
 * forward ends a term, which is a pity and safe.
 */
export class Term {
  readonly #options: TermOptions;
  readonly #clock: Clock;
  readonly #ended = new AbortController();
  #renewed: Moment;
  #timer: Timer | undefined;
  /** Why the last renewal failed, if it did. */
  #failure: unknown;

  /** @param sent when the write that won the lease was sent. */
  constructor(sent: Moment, options: TermOptions) {
    this.#options = options;
    this.#clock = options.clock ?? realClock;
    this.#renewed = sent;
    this.#watch();
  }

  /** Aborted when it is over, with the reason. A process that stood still is told late: ask `over`. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  get over(): boolean {
    if (!this.#ended.signal.aborted && this.#leftMs() <= 0) this.end(this.#expired());
    return this.#ended.signal.aborted;
  }

  /** It lasts from then on. Does nothing when it is over. */
  renew(sent: Moment): void {
    if (this.over) return;
    this.#renewed = sent;
    this.#failure = undefined;
    this.#watch();
  }

  /** Said with the reason, should it end for want of renewals. */
  renewalFailed(error: unknown): void {
    this.#failure = error;
  }

  end(reason: unknown): void {
    this.#timer?.cancel();
    this.#ended.abort(reason);
  }

  #watch(): void {
    this.#timer?.cancel();
    if (this.over) return;
    const wholeMs = Math.ceil(this.#leftMs()); // a part of one may be too small to move a clock on
    this.#timer = this.#clock.timer(wholeMs, () => this.#due(), { background: true });
  }

  /** Timers may fire a little early. */
  #due(): void {
    if (!this.over) this.#watch();
  }

  #leftMs(): number {
    const { monotonicMs, wallMs } = this.#renewed;
    return (
      this.#options.lastsMs - Math.max(this.#clock.monotonic() - monotonicMs, this.#clock.now() - wallMs)
    );
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
