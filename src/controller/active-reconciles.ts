import type { Clock, Logger, Timer } from "../base/index.ts";

export interface ActiveReconcilesOptions {
  /** A reconcile that runs for this long is reported. */
  readonly longMs: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * The reconciles that are running. Each one that runs for `longMs` is logged once: a reconcile that never ends blocks
 * its key and a worker, and nothing else reports it.
 */
export class ActiveReconciles {
  readonly #options: ActiveReconcilesOptions;
  /** In start order, at most one per worker. Searching so few takes less time than hashing a key. */
  readonly #active: ActiveReconcile[] = [];
  /** Set while an unreported reconcile runs, and possibly for some time after it has ended. */
  #timer: Timer | undefined;

  constructor(options: ActiveReconcilesOptions) {
    this.#options = options;
  }

  get keys(): readonly string[] {
    return this.#active.map(({ key }) => key);
  }

  get size(): number {
    return this.#active.length;
  }

  add(reconcile: ActiveReconcile): void {
    this.#active.push(reconcile);
    if (!this.#timer) this.#checkAfter(this.#options.longMs);
  }

  /** Removes a reconcile that has ended. A second call has no effect. */
  remove(reconcile: ActiveReconcile): void {
    const at = this.#active.lastIndexOf(reconcile);
    if (at < 0) return;
    if (at === this.#active.length - 1) this.#active.pop();
    else this.#active.splice(at, 1);
  }

  /** Stops the timer. */
  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Uses one timer for all reconciles, because reconciles start and end far more often than one runs for long. */
  #checkAfter(afterMs: number): void {
    const { clock, longMs, log } = this.#options;
    const check = (): void => {
      this.#timer = undefined;
      const nowMs = clock.monotonic();
      for (const reconcile of this.#active) {
        if (reconcile.reported) continue;
        const remainingMs = reconcile.startedMs + longMs - nowMs;
        if (remainingMs > 0) return this.#checkAfter(remainingMs);
        reconcile.reported = true;
        const { key } = reconcile;
        log.warn("reconcile still running", { key, seconds: seconds(nowMs, reconcile) });
      }
    };
    this.#timer = clock.timer(afterMs, check, { background: true });
  }
}

/** A running reconcile. */
export interface ActiveReconcile {
  readonly key: string;
  /** Start in the clock's monotonic time. */
  readonly startedMs: number;
  /** True once the reconcile has been logged as long. Initially false. */
  reported: boolean;
}

function seconds(nowMs: number, { startedMs }: ActiveReconcile): number {
  return Math.round((nowMs - startedMs) / 1000);
}
