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

/** Steps that may also wait for a promise, with `yield* waitFor(promise)`. */
export type WaitingSteps<T> = Generator<Promise<void> | void, T, void>;

/** Waits for a promise within steps. Returns its value, or throws its error. */
export function* waitFor<T>(promise: Promise<T>): WaitingSteps<T> {
  let settled: Settled<T> | undefined;
  yield promise.then(
    (value) => {
      settled = { type: "value", value };
    },
    (error: unknown) => {
      settled = { type: "error", error };
    },
  );
  if (!settled) throw new Error("expected steps to wait for a promise, got the next step before it settled");
  if (settled.type === "error") throw settled.error;
  return settled.value;
}

type Settled<T> =
  | { readonly type: "value"; readonly value: T }
  | { readonly type: "error"; readonly error: unknown };

/** Runs steps to their end without a pause. */
export function runAtOnce<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/**
 * Lets other work of the process run during a long task: the task checks `over` regularly, and pauses for one turn of
 * the event loop when it is true.
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

  /**
   * Runs steps to their end. Pauses between two steps if the slice is over, and waits for the promises of the steps.
   */
  async run<T>(steps: WaitingSteps<T>): Promise<T> {
    let step = steps.next();
    while (!step.done) {
      if (step.value) await this.#wait(step.value);
      else if (this.over) await this.pause();
      step = steps.next();
    }
    return step.value;
  }

  /** Waits for a promise that does not reject, then starts a new slice. */
  async #wait(promise: Promise<void>): Promise<void> {
    await promise;
    this.#startedMs = this.#clock.monotonic();
  }

  /** Lets other work run, then starts a new slice. */
  async pause(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#startedMs = this.#clock.monotonic();
  }
}
