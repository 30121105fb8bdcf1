import type { Clock, Timer, TimerOptions } from "../base/index.ts";

/**
 * A clock that can be held for a stretch of work that waits for nothing: all who ask meanwhile are told the same time. To read
 * a clock takes as long as much of what is done between two reconciles.
 */
export class HeldClock implements Clock {
  readonly #clock: Clock;
  #heldMs: number | undefined = undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  monotonic(): number {
    return this.#heldMs ?? this.#clock.monotonic();
  }

  timer(afterMs: number, run: () => void, options?: TimerOptions): Timer {
    return this.#clock.timer(afterMs, run, options);
  }

  /** Reads it, and holds it until `release`. */
  hold(): number {
    this.#heldMs = this.#clock.monotonic();
    return this.#heldMs;
  }

  /** It goes on. */
  release(): void {
    this.#heldMs = undefined;
  }
}
