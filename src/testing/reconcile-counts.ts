import { type Clock, settled } from "../base/index.ts";
import type { AroundReconcile } from "./around-reconciles.ts";

/** Counts the reconciles of each key that run while the clock does not move, so that an endless loop is found. */
export class ReconcileCounts {
  readonly #clock: Clock;
  /** Reconciles in progress, by controller and key: `website default/a`. */
  readonly #active = new Set<string>();
  /** Number of reconciles that started at `#atMs`, by controller and key. */
  readonly #started = new Map<string, number>();
  #atMs = 0;
  /** The highest number in `#started`. */
  #highest = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Reconciles in progress, by controller and key. */
  get active(): readonly string[] {
    return [...this.#active];
  }

  readonly around: AroundReconcile = async (reconcile, run) => {
    this.#active.add(reconcile);
    try {
      // A loop of reconciles in this process would otherwise never let `advance` run.
      if (this.#count(reconcile) % yieldEvery === 0) await settled();
      return await run();
    } finally {
      this.#active.delete(reconcile);
    }
  };

  /** Throws if a key is reconciled without end while the clock does not move. */
  expectEnd(): void {
    if (this.#highest < maxReconciles) return;
    const keys = Array.from(this.#started)
      .filter(([, count]) => count >= maxReconciles / 2)
      .map(([reconcile, count]) => `${reconcile} (${count} reconciles)`);
    throw new Error(
      `expected the controllers to come to rest, got reconciles without end: ${keys.slice(0, maxShown).join(", ")}` +
        `${keys.length > maxShown ? ` and ${keys.length - maxShown} more` : ""}; ` +
        "they trigger themselves: write only differences, or select events with `when`",
    );
  }

  #count(reconcile: string): number {
    const nowMs = this.#clock.monotonic();
    if (nowMs !== this.#atMs) {
      this.#atMs = nowMs;
      this.#highest = 0;
      this.#started.clear();
    }
    const count = (this.#started.get(reconcile) ?? 0) + 1;
    this.#started.set(reconcile, count);
    this.#highest = Math.max(this.#highest, count);
    return count;
  }
}

/** More reconciles than this of one key, without time to pass, are a loop. A key with 200 children has fewer. */
const maxReconciles = 300;

/** A key that is reconciled this often waits for a turn of the event loop. */
const yieldEvery = 50;

/** Maximum number of keys that the error names. */
const maxShown = 5;
