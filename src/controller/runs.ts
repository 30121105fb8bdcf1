import type { Clock, Logger, Timer } from "../base/index.ts";

export interface RunsOptions {
  /** From when on a run is long. */
  readonly longMs: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * The reconciles under way, by their keys. Of one that is long it is told, once: what never ends holds its key and a worker
 * for ever, and nothing else would say so.
 */
export class Runs {
  readonly #options: RunsOptions;
  /** In the order they began. */
  readonly #runs = new Map<string, Run>();
  /** Set while there is one that is not told of, and perhaps longer. */
  #timer: Timer | undefined;

  constructor(options: RunsOptions) {
    this.#options = options;
  }

  get keys(): readonly string[] {
    return [...this.#runs.keys()];
  }

  get size(): number {
    return this.#runs.size;
  }

  /** @param nowMs by the clock's monotonic time */
  began(key: string, nowMs: number): void {
    this.#runs.set(key, { beganMs: nowMs, told: false });
    if (!this.#timer) this.#look(this.#options.longMs);
  }

  ended(key: string): void {
    this.#runs.delete(key);
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
      for (const [key, run] of this.#runs) {
        if (run.told) continue;
        const leftMs = run.beganMs + longMs - nowMs;
        if (leftMs > 0) return this.#look(leftMs);
        run.told = true;
        log.warn("a reconcile does not end, and holds a worker", { key, seconds: seconds(nowMs, run) });
      }
    };
    this.#timer = clock.timer(afterMs, look, { background: true });
  }
}

interface Run {
  readonly beganMs: number;
  told: boolean;
}

function seconds(nowMs: number, { beganMs }: Run): number {
  return Math.round((nowMs - beganMs) / 1000);
}
