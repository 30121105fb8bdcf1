import { type Clock, realClock, type Timer } from "../base/index.ts";

/** A time by the monotonic clock, and how far the wall clock had run ahead of it until then. */
export interface Moment {
  readonly monotonicMs: number;
  /** Counted from the start of the watch. Only differences between two moments of one watch have a meaning. */
  readonly aheadMs: number;
}

/**
 * Measures how far the wall clock of a machine runs ahead of its monotonic clock.
 *
 * The monotonic clock stands still while a machine is suspended or paused, so that the wall clock runs ahead of it. The
 * same happens after a step forward of the wall clock (NTP). A step back does not undo what was measured before: it may
 * follow a suspension. A suspension and a step back between two reads can cancel each other out, so read often.
 */
export class ClockWatch {
  readonly #clock: Clock;
  /** Wall clock minus monotonic clock at the last change of `#aheadMs`, or the lowest value since. */
  #lowestMs: number;
  /** The sum of all rises. It never decreases. */
  #aheadMs = 0;

  constructor(clock: Clock = realClock) {
    this.#clock = clock;
    this.#lowestMs = clock.now() - clock.monotonic();
  }

  read(): Moment {
    const monotonicMs = this.#clock.monotonic();
    const differenceMs = this.#clock.now() - monotonicMs;
    const roseMs = Math.max(0, differenceMs - this.#lowestMs);
    const aheadMs = this.#aheadMs + roseMs;
    if (roseMs > noiseMs) this.#aheadMs = aheadMs;
    if (roseMs > noiseMs || roseMs === 0) this.#lowestMs = differenceMs;
    return { monotonicMs, aheadMs };
  }

  /** Reads the clocks regularly until it is disposed. */
  start(): Disposable {
    let timer: Timer | undefined;
    const next = (): void => {
      timer = this.#clock.timer(readPeriodMs, read, { background: true });
    };
    const read = (): void => {
      this.read();
      next();
    };
    next();
    return { [Symbol.dispose]: () => timer?.cancel() };
  }
}

/** Time between two regular reads. */
export const readPeriodMs = 1000;

/** The two clocks are not read at the same instant. Smaller rises are not summed up, or the error would grow. */
const noiseMs = 20;
