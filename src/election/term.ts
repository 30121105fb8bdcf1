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
 * A process that stood still finds out when it asks: `over` looks at the monotonic clock, and does not wait for a timer.
 *
 * The monotonic clock stands still while a machine is suspended or paused, and then the wall clock runs ahead of it. So it
 * does after a step (NTP), and a process cannot tell the two apart. The term is `inDoubt` then, until a renewal that was
 * sent afterwards has succeeded.
 */
export class Term {
  readonly #options: TermOptions;
  readonly #clock: Clock;
  readonly #ended = new AbortController();
  #renewed: Moment;
  #timer: Timer | undefined;
  /** Why the last renewal failed, if it did. */
  #failure: unknown;
  /** Callers that wait for the next renewal or the end. */
  #next: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;

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

  /** Whether the lease may have expired unnoticed: the wall clock ran ahead of the monotonic one since the last renewal. */
  get inDoubt(): boolean {
    if (this.over) return false;
    const { monotonicMs, wallMs } = this.#renewed;
    return this.#clock.now() - wallMs - (this.#clock.monotonic() - monotonicMs) > toleratedMs;
  }

  /** Resolves when the term is renewed next, or is over. */
  get renewal(): Promise<void> {
    this.#next ??= deferred();
    return this.#next.promise;
  }

  /** It lasts from then on. Does nothing when it is over. */
  renew(sent: Moment): void {
    if (this.over) return;
    this.#renewed = sent;
    this.#failure = undefined;
    this.#watch();
    this.#wake();
  }

  /** Said with the reason, should it end for want of renewals. */
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
    const wholeMs = Math.ceil(this.#leftMs()); // a part of one may be too small to move a clock on
    this.#timer = this.#clock.timer(wholeMs, () => this.#due(), { background: true });
  }

  /** Timers may fire a little early. */
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

/** How far the wall clock may run ahead of the monotonic one: less than a lease outlasts the renewal deadline by. */
const toleratedMs = 1000;

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((resolved) => {
    resolve = resolved;
  });
  return { promise, resolve };
}
