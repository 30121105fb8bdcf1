import { asError, type Clock, onAbort } from "../base/index.ts";
import { ReviewError } from "./review-error.ts";

/** The limits of a review. */
export interface ReviewLimits {
  readonly clock: Clock;
  /** Time that the API server waits. Then the review fails. */
  readonly timeoutMs: number;
  /** Aborted when the API server disconnects, or the server stops. @default never */
  readonly signal?: AbortSignal | undefined;
}

export interface LimitedWork {
  /** The noun of the message: "handler". */
  readonly what: string;
  /** Called when the time is over, before `onStopped`. */
  onTimeout(): void;
  /** Called when nothing waits for the work any longer. */
  onStopped(error: Error): void;
}

/** Settles like `work`. Rejects when the time is over or the signal aborts, with a 504 or the reason of the signal. */
export function withinTime<T>(work: Promise<T>, limits: ReviewLimits, of: LimitedWork): Promise<T> {
  const { clock, timeoutMs, signal } = limits;
  return new Promise((resolve, reject) => {
    const timer = clock.timer(timeoutMs, () => {
      of.onTimeout();
      stop(new ReviewError(504, `expected the ${of.what} to return within ${timeoutMs} ms, got no result`));
    });
    const outer = onAbort(signal, (reason) => stop(asError(reason)));
    const release = (): void => {
      timer.cancel();
      outer[Symbol.dispose]();
    };
    function stop(error: Error): void {
      timer.cancel(); // the work may never end
      of.onStopped(error);
      reject(error);
    }
    work.then(resolve, reject).finally(release);
  });
}
