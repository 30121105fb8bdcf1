import type { Clock, Timer } from "../base/index.ts";

/** Has something to deliver. */
export interface Deliverer {
  /** Delivers until there is nothing left or it is `untilMs`, and says whether something is left. */
  deliver(untilMs: number): boolean;
}

/**
 * Lets many deliver in turn, a bounded time at once: between two turns, timers and the network have theirs.
 * Who is not done goes to the back of the line.
 */
export class Dispatcher {
  readonly #clock: Clock;
  readonly #line: Deliverer[] = [];
  #next: Timer | undefined;
  #running = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Of one who is not in line. */
  add(deliverer: Deliverer): void {
    this.#line.push(deliverer);
  }

  /** A turn now, unless one is under way or to come. */
  run(): void {
    if (!this.#running && !this.#next && this.#line.length > 0) this.#turn();
  }

  /** A turn when whoever runs now has returned. */
  soon(): void {
    queueMicrotask(() => this.run());
  }

  #turn(): void {
    const untilMs = this.#clock.monotonic() + turnMs;
    this.#running = true;
    try {
      do this.#deliverFirst(untilMs);
      while (this.#line.length > 0 && this.#clock.monotonic() < untilMs);
    } finally {
      this.#running = false;
      if (this.#line.length > 0) this.#next = this.#clock.timer(0, this.#again);
    }
  }

  #deliverFirst(untilMs: number): void {
    const first = this.#line.shift();
    if (first?.deliver(untilMs)) this.#line.push(first);
  }

  readonly #again = (): void => {
    this.#next = undefined;
    this.#turn();
  };
}

const turnMs = 10;
