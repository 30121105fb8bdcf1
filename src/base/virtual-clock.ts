import type { Clock, Timer } from "./clock.ts";

/**
 * A clock that moves only when it is advanced, for tests and the simulator.
 *
 * - Timers fire in the order of their due times; timers with the same due time, in the order in which they were set.
 * - Between two timers, every promise that can settle settles. Code that a timer resumes has run, and may have set
 *   other timers, before the next timer fires.
 */
export class VirtualClock implements Clock {
  /** Timers that have neither fired nor been cancelled. */
  readonly #pending = new Set<Pending>();
  readonly #startMs: number;
  #elapsedMs = 0;

  /** @param startMs Initial value of `now()`. @default 2026-01-01T00:00:00Z */
  constructor(startMs: number = Date.UTC(2026, 0, 1)) {
    this.#startMs = startMs;
  }

  now(): number {
    return this.#startMs + this.#elapsedMs;
  }

  monotonic(): number {
    return this.#elapsedMs;
  }

  timer(afterMs: number, run: () => void): Timer {
    const pending: Pending = { dueMs: this.#elapsedMs + Math.max(afterMs, 0), run };
    this.#pending.add(pending);
    const cancel = (): void => void this.#pending.delete(pending);
    return { cancel, [Symbol.dispose]: cancel };
  }

  /** Number of pending timers. A test that ends with pending timers has leaked them. */
  get timers(): number {
    return this.#pending.size;
  }

  /** Milliseconds until the next timer fires, or `undefined` when none is set. */
  get nextMs(): number | undefined {
    const next = this.#next();
    return next && next.dueMs - this.#elapsedMs;
  }

  /** Advances the time by `ms` and fires the timers that become due. */
  async advance(ms: number): Promise<void> {
    if (!(ms >= 0)) throw new RangeError(`expected milliseconds to go forward by, got ${ms}`);
    const untilMs = this.#elapsedMs + ms;
    await settled();
    for (let next = this.#next(); next && next.dueMs <= untilMs; next = this.#next()) {
      this.#fire(next);
      await settled();
    }
    this.#elapsedMs = untilMs;
  }

  /** Advances to the next timer and fires it. Returns false if no timer is set. */
  async advanceToNext(): Promise<boolean> {
    await settled();
    const next = this.#next();
    if (!next) return false;
    this.#fire(next);
    await settled();
    return true;
  }

  #next(): Pending | undefined {
    let next: Pending | undefined;
    for (const pending of this.#pending) {
      if (!next || pending.dueMs < next.dueMs) next = pending;
    }
    return next;
  }

  #fire(pending: Pending): void {
    this.#pending.delete(pending);
    this.#elapsedMs = pending.dueMs;
    pending.run();
  }
}

interface Pending {
  readonly dueMs: number;
  readonly run: () => void;
}

/** Resolves when every promise that can settle without time or the network has settled. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
