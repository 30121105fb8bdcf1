import { asError } from "./as-error.ts";
import { onAbort } from "./signals.ts";

/** Where the rest of the code gets its time from, so that tests and the simulator can own it. */
export interface Clock {
  /** Wall time in milliseconds since the epoch. It may jump when somebody sets the machine's clock. */
  now(): number;
  /** Milliseconds on a scale that only goes forward: for durations and deadlines. */
  monotonic(): number;
  /**
   * Calls `run` once after `afterMs`, unless cancelled before; never before `timer` has returned.
   * It may be years; less than zero is zero. A timer keeps the process alive unless `background`.
   */
  timer(afterMs: number, run: () => void, options?: TimerOptions): Timer;
}

export interface TimerOptions {
  /** Does not keep the process alive by itself. @default false */
  readonly background?: boolean | undefined;
}

/** A call that has yet to happen. Cancelling one that has happened does nothing. */
export interface Timer extends Disposable {
  cancel(): void;
}

export interface SleepOptions {
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The machine's own time. */
export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  timer(afterMs, run, options) {
    let handle: NodeJS.Timeout;
    const wait = (ms: number): void => {
      handle =
        ms > longestTimerMs
          ? setTimeout(wait, longestTimerMs, ms - longestTimerMs)
          : setTimeout(run, Math.max(ms, 0));
      if (options?.background) handle.unref();
    };
    const cancel = (): void => clearTimeout(handle);
    wait(afterMs);
    return { cancel, [Symbol.dispose]: cancel };
  },
};

/** Longest delay that Node's timers take, about 24.8 days; a longer one would fire at once. */
const longestTimerMs = 2_147_483_647;

/** Resolves after `ms`; rejects with the signal's reason when that comes first. */
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
