import { type Clock, realClock } from "./clock.ts";
import { onAbort } from "./signals.ts";

/** Thrown when something took longer than it may. */
export class TimeoutError extends Error {
  override readonly name: string = "TimeoutError";
}

export interface DeadlineOptions {
  readonly clock?: Clock | undefined;
  /** Ends the deadline's signal too, with its own reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A signal that aborts by itself. Disposing it cancels the timer and lets go of the outer signal. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Aborts with a `TimeoutError` after `ms`, or when `signal` does.
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
