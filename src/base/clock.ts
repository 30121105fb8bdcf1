/** Where the rest of the code gets its time from, so that tests and the simulator can own it. */
export interface Clock {
  /** Wall time in milliseconds since the epoch. It may jump when somebody sets the machine's clock. */
  now(): number;
  /** Milliseconds on a scale that only goes forward: for durations and deadlines. */
  monotonic(): number;
  /** Calls `run` once after `afterMs`, unless cancelled before. A timer keeps the process alive unless `background`. */
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

/** Longest delay that Node's timers take; a longer one would fire at once. About 24.8 days. */
const longestTimerMs = 2_147_483_647;

/** The machine's own time. */
export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  timer(afterMs, run, options) {
    const handle = setTimeout(run, Math.min(Math.max(afterMs, 0), longestTimerMs));
    if (options?.background) handle.unref();
    const cancel = (): void => clearTimeout(handle);
    return { cancel, [Symbol.dispose]: cancel };
  },
};

/** Resolves after `ms`; rejects with the signal's reason when that comes first. */
export function sleep(ms: number, { clock = realClock, signal }: SleepOptions = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(asError(signal.reason));
    const timer = clock.timer(ms, () => {
      signal?.removeEventListener("abort", abort);
      resolve();
    });
    const abort = (): void => {
      timer.cancel();
      reject(asError(signal?.reason));
    };
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** RFC 3339 in UTC with whole seconds, as Kubernetes writes `metav1.Time`. */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** RFC 3339 in UTC with microseconds, as Kubernetes writes `metav1.MicroTime`. */
export function microTimestamp(ms: number): string {
  const micros = Math.floor((ms - Math.floor(ms)) * 1000);
  return `${new Date(ms).toISOString().slice(0, 23)}${String(micros).padStart(3, "0")}Z`;
}

/** What was thrown, as an `Error`: abort reasons and thrown values may be anything. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
