import { type Clock, realClock } from "./clock.ts";

/**
 * Work in steps. It may pause at each `yield`, so that other work of the process can run.
 *
 *     function* validated(object): Steps<FieldError[]> {
 *       const own = ownErrors(object);
 *       yield;
 *       return [...own, ...nestedErrors(object)];
 *     }
 */
export type Steps<T> = Generator<void, T, void>;

/** Runs steps to their end without a pause. */
export function runAtOnce<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/**
 * Lets other work of the process run during a long task: the task checks `over` regularly, and pauses for one turn of the event
 * loop when it is true.
 *
 *     const slice = new TimeSlice();
 *     for (const item of many) {
 *       work(item);
 *       if (slice.over) await slice.pause();
 *     }
 */
export class TimeSlice {
  readonly #clock: Clock;
  readonly #lengthMs: number;
  #startedMs: number;

  /** @param lengthMs How long the task runs between pauses. @default 10 */
  constructor(clock: Clock = realClock, lengthMs = 10) {
    this.#clock = clock;
    this.#lengthMs = lengthMs;
    this.#startedMs = clock.monotonic();
  }

  /** True if the slice is used up. Reads the clock. */
  get over(): boolean {
    return this.#clock.monotonic() - this.#startedMs >= this.#lengthMs;
  }

  /** Runs steps to their end. Pauses between two steps if the slice is over. */
  async run<T>(steps: Steps<T>): Promise<T> {
    let step = steps.next();
    while (!step.done) {
      if (this.over) await this.pause();
      step = steps.next();
    }
    return step.value;
  }

  /** Lets other work run, then starts a new slice. */
  async pause(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#startedMs = this.#clock.monotonic();
  }
}
