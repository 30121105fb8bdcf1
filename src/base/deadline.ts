import { type Clock, realClock } from "./clock.ts";
import { onAbort } from "./signals.ts";

/** Thrown when an operation exceeds its time limit. */
export class TimeoutError extends Error {
  override readonly name: string = "TimeoutError";
}

export interface DeadlineOptions {
  readonly clock?: Clock | undefined;
  /** Aborts the deadline's signal too, with the reason of this signal. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A signal that aborts after a time limit. Disposing it cancels the timer and removes the listener of the outer signal.
 */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Returns a signal that aborts with a `TimeoutError` after `ms`, or when `options.signal` aborts.
 *
 * ```ts
 * using limit = deadline(5_000, "waiting for the lease", { signal });
 * await acquire({ signal: limit.signal });
 * ```
 */
export function deadline(ms: number, doing: string, options: DeadlineOptions = {}): Deadline {
  const { clock = realClock, signal } = options;
  const ended = new AbortController();
  const timer = clock.timer(ms, () =>
    ended.abort(new TimeoutError(`expected an end of ${doing} within ${ms} ms, got none`)),
  );
  const outer = onAbort(signal, (reason) => {
    timer.cancel();
    ended.abort(reason);
  });
  return {
    signal: ended.signal,
    [Symbol.dispose]() {
      timer.cancel();
      outer[Symbol.dispose]();
    },
  };
}
