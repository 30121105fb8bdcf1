import { asError } from "./as-error.ts";
import { onAbort } from "./signals.ts";

/** The source of time for all other code, so that tests and the simulator can control it. */
export interface Clock {
  /** Wall time in milliseconds since the epoch. It jumps when the system clock is set. */
  now(): number;
  /** Monotonic time in milliseconds, for durations and deadlines. */
  monotonic(): number;
  /**
   * Calls `run` once after `afterMs`, unless the timer is cancelled; never before `timer` has returned.
   * `afterMs` may be years; a negative value counts as 0. A timer keeps the process alive unless `background` is set.
   */
  timer(afterMs: number, run: () => void, options?: TimerOptions): Timer;
}

export interface TimerOptions {
  /** True if the timer does not keep the process alive. @default false */
  readonly background?: boolean | undefined;
}

/** A pending call. Cancelling it after it has happened has no effect. */
export interface Timer extends Disposable {
  cancel(): void;
}

export interface SleepOptions {
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The system clock. */
export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  timer(afterMs, run, options) {
    let handle: NodeJS.Timeout;
    const wait = (ms: number): void => {
      handle =
        ms > maxTimerMs ? setTimeout(wait, maxTimerMs, ms - maxTimerMs) : setTimeout(run, Math.max(ms, 0));
      if (options?.background) handle.unref();
    };
    const cancel = (): void => clearTimeout(handle);
    wait(afterMs);
    return { cancel, [Symbol.dispose]: cancel };
  },
};

/** Longest delay of Node's timers, about 24.8 days. A longer one would fire immediately. */
const maxTimerMs = 2_147_483_647;

/** Resolves after `ms`. Rejects with the signal's reason if the signal aborts first. */
export function sleep(ms: number, { clock = realClock, signal }: SleepOptions = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.timer(ms, () => {
      outer[Symbol.dispose]();
      resolve();
    });
    const outer = onAbort(signal, (reason) => {
      timer.cancel();
      reject(asError(reason));
    });
  });
}
