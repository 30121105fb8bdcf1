import { type Clock, Heap, type HeapEntry, type Timer } from "../base/index.ts";

/** An entry with a due time. */
export interface Due extends HeapEntry {
  /** Due time on the monotonic clock. */
  dueMs: number;
}

/**
 * Calls `onDue` with each entry at its due time, the earliest first. The order of entries with the same due time is
 * unspecified. A heap orders the entries, so that one timer serves all of them.
 */
export class Delays<D extends Due> {
  readonly #clock: Clock;
  readonly #onDue: (due: D) => void;
  readonly #heap = new Heap<D>((one, other) => one.dueMs < other.dueMs);
  #timer: Timer | undefined;
  /** Due time of `#timer`. */
  #timerMs = 0;

  constructor(clock: Clock, onDue: (due: D) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  get size(): number {
    return this.#heap.size;
  }

  add(due: D): void {
    this.#heap.add(due);
    this.#arm();
  }

  /** Restores the heap order after the due time of an entry has become earlier. */
  moveEarlier(due: D): void {
    this.#heap.moveUp(due);
    this.#arm();
  }

  /** Removes all entries and cancels the timer. */
  clear(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#heap.clear();
  }

  #arm(): void {
    const next = this.#heap.first;
    if (!next || (this.#timer && this.#timerMs === next.dueMs)) return;
    this.#timer?.cancel();
    this.#timerMs = next.dueMs;
    this.#timer = this.#clock.timer(next.dueMs - this.#clock.monotonic(), () => this.#onTimer());
  }

  /** Removes every entry that is due. Timers may fire a fraction of a millisecond early, hence the maximum. */
  #onTimer(): void {
    this.#timer = undefined;
    const nowMs = Math.max(this.#clock.monotonic(), this.#timerMs);
    for (let next = this.#heap.first; next && next.dueMs <= nowMs; next = this.#heap.first) {
      this.#heap.remove(next);
      this.#onDue(next);
    }
    this.#arm();
  }
}
