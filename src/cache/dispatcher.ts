import type { Clock, Timer } from "../base/index.ts";

/** Has queued changes to deliver. */
export interface Deliverer {
  /** Delivers until the queue is empty or the monotonic clock reaches `untilMs`. @returns true if changes are left */
  deliver(untilMs: number): boolean;
}

/**
 * Lets deliverers take turns in slices of 10 ms. Between two slices, timers and the network run. A deliverer with
 * changes left goes to the end of the queue.
 */
export class Dispatcher {
  readonly #clock: Clock;
  /** Deliverers with queued changes, each once. */
  readonly #ready: Deliverer[] = [];
  /** Starts the next slice, if one is scheduled. */
  #next: Timer | undefined;
  #running = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds a deliverer that is not queued here yet. */
  add(deliverer: Deliverer): void {
    this.#ready.push(deliverer);
  }

  /** Runs a slice now, unless one is running or scheduled. */
  run(): void {
    if (!this.#running && !this.#next && this.#ready.length > 0) this.#runSlice();
  }

  /** Runs a slice after the current task. */
  runSoon(): void {
    queueMicrotask(() => this.run());
  }

  #runSlice(): void {
    const untilMs = this.#clock.monotonic() + sliceMs;
    this.#running = true;
    try {
      do this.#deliverFirst(untilMs);
      while (this.#ready.length > 0 && this.#clock.monotonic() < untilMs);
    } finally {
      this.#running = false;
      if (this.#ready.length > 0) this.#next = this.#clock.timer(0, this.#onTimer);
    }
  }

  #deliverFirst(untilMs: number): void {
    const first = this.#ready.shift();
    if (first?.deliver(untilMs)) this.#ready.push(first);
  }

  readonly #onTimer = (): void => {
    this.#next = undefined;
    this.#runSlice();
  };
}

const sliceMs = 10;
