import type { Clock, Logger, Timer } from "../base/index.ts";

export interface ActiveReconcilesOptions {
  /** From when on a run is long. */
  readonly longMs: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * The reconciles under way, by their keys. Of one that is long it is told, once: what never ends holds its key and a worker
 * for ever, and nothing else would say so.
 */
export class ActiveReconciles {
  readonly #options: ActiveReconcilesOptions;
  /** In the order they began. Few, one for each worker: to look for one here takes less than to hash its key. */
  readonly #runs: ActiveReconcile[] = [];
  /** Set while there is one that is not told of, and perhaps longer. */
  #timer: Timer | undefined;

  constructor(options: ActiveReconcilesOptions) {
    this.#options = options;
  }

  get keys(): readonly string[] {
    return this.#runs.map(({ key }) => key);
  }

  get size(): number {
    return this.#runs.length;
  }

  began(run: ActiveReconcile): void {
    this.#runs.push(run);
    if (!this.#timer) this.#look(this.#options.longMs);
  }

  /** Once is enough; more does nothing. */
  ended(run: ActiveReconcile): void {
    const at = this.#runs.lastIndexOf(run);
    if (at < 0) return;
    if (at === this.#runs.length - 1) this.#runs.pop();
    else this.#runs.splice(at, 1);
  }

  /** Looks no more. */
  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** One timer for all: they begin and end far more often than one is long. */
  #look(afterMs: number): void {
    const { clock, longMs, log } = this.#options;
    const look = (): void => {
      this.#timer = undefined;
      const nowMs = clock.monotonic();
      for (const run of this.#runs) {
        if (run.told) continue;
        const leftMs = run.beganMs + longMs - nowMs;
        if (leftMs > 0) return this.#look(leftMs);
        run.told = true;
        const { key } = run;
        log.warn("a reconcile does not end, and holds a worker", { key, seconds: seconds(nowMs, run) });
      }
    };
    this.#timer = clock.timer(afterMs, look, { background: true });
  }
}

/** A reconcile under way. */
export interface ActiveReconcile {
  readonly key: string;
  /** By the clock's monotonic time. */
  readonly beganMs: number;
  /** That it is long was told: kept here, false at first. */
  told: boolean;
}

function seconds(nowMs: number, { beganMs }: ActiveReconcile): number {
  return Math.round((nowMs - beganMs) / 1000);
}
