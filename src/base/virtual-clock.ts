import type { Clock, Timer } from "./clock.ts";
import { Heap, type HeapEntry } from "./heap.ts";

/**
 * A clock that moves only when it is advanced, for tests and the simulator.
 *
 * - Timers fire in the order of their due times; timers with the same due time, in the order in which they were set.
 * - Between two timers, every promise that can settle settles. Code that a timer resumes has run, and may have set
 *   other timers, before the next timer fires.
 */
export class VirtualClock implements Clock {
  /** Timers that have neither fired nor been cancelled. */
  readonly #pending = new Heap<Pending>(isEarlier);
  readonly #startMs: number;
  #elapsedMs = 0;
  /** Number of timers set so far. */
  #set = 0;

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
    this.#set += 1;
    const dueMs = this.#elapsedMs + Math.max(afterMs, 0);
    const pending: Pending = { dueMs, sequence: this.#set, heapIndex: -1, run };
    this.#pending.add(pending);
    const cancel = (): void => void this.#pending.remove(pending);
    return { cancel, [Symbol.dispose]: cancel };
  }

  /** Number of pending timers. A test that ends with pending timers has leaked them. */
  get timers(): number {
    return this.#pending.size;
  }

  /** Milliseconds until the next timer fires, or `undefined` when none is set. */
  get nextMs(): number | undefined {
    const next = this.#pending.first;
    return next && next.dueMs - this.#elapsedMs;
  }

  /**
   * Advances the time by `ms` and fires the timers that become due. Stops early, at the time of the timer that fired
   * last, if `settle` or a timer throws.
   *
   * @param settle Called before the first timer and after each one. The next timer fires when its promise resolves.
   * @default `settled`
   */
  async advance(ms: number, settle: () => Promise<void> = settled): Promise<void> {
    if (!(ms >= 0)) throw new RangeError(`expected milliseconds to go forward by, got ${ms}`);
    const untilMs = this.#elapsedMs + ms;
    await settle();
    for (let next = this.#pending.first; next && next.dueMs <= untilMs; next = this.#pending.first) {
      this.#fire(next);
      await settle();
    }
    this.#moveTo(untilMs);
  }

  /** Advances to the next timer and fires it. Returns false if no timer is set. */
  async advanceToNext(): Promise<boolean> {
    await settled();
    const next = this.#pending.first;
    if (!next) return false;
    this.#fire(next);
    await settled();
    return true;
  }

  #fire(pending: Pending): void {
    this.#pending.remove(pending);
    this.#moveTo(pending.dueMs);
    pending.run();
  }

  /** Moves the time forward, never back: two calls of `advance` may overlap. */
  #moveTo(elapsedMs: number): void {
    this.#elapsedMs = Math.max(this.#elapsedMs, elapsedMs);
  }
}

interface Pending extends HeapEntry {
  readonly dueMs: number;
  /** Position among all timers, in the order in which they were set. */
  readonly sequence: number;
  readonly run: () => void;
}

function isEarlier(one: Pending, other: Pending): boolean {
  return one.dueMs === other.dueMs ? one.sequence < other.sequence : one.dueMs < other.dueMs;
}

/** Resolves when every promise that can settle without time or the network has settled. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
