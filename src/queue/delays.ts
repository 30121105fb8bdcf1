import type { Clock, Timer } from "../base/index.ts";

/** An entry with a due time. */
export interface Due {
  /** Due time on the monotonic clock. */
  dueMs: number;
  /** Index in the heap, maintained by `Delays`. */
  heapIndex: number;
}

/**
 * Calls `onDue` with each entry at its due time, the earliest first. The order of entries with the same due time is
 * unspecified. A binary heap orders the entries, so that one timer serves all of them.
 */
export class Delays<D extends Due> {
  readonly #clock: Clock;
  readonly #onDue: (due: D) => void;
  /** A min-heap by due time: the children of index `i` are at `2 * i + 1` and `2 * i + 2`. */
  readonly #heap: D[] = [];
  #timer: Timer | undefined;
  /** Due time of `#timer`. */
  #timerMs = 0;

  constructor(clock: Clock, onDue: (due: D) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  get size(): number {
    return this.#heap.length;
  }

  add(due: D): void {
    due.heapIndex = this.#heap.length;
    this.#heap.push(due);
    this.#rise(due);
    this.#arm();
  }

  /** Restores the heap order after the due time of an entry has become earlier. */
  moveEarlier(due: D): void {
    this.#rise(due);
    this.#arm();
  }

  /** Removes all entries and cancels the timer. */
  clear(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#heap.length = 0;
  }

  #arm(): void {
    const [next] = this.#heap;
    if (!next || (this.#timer && this.#timerMs === next.dueMs)) return;
    this.#timer?.cancel();
    this.#timerMs = next.dueMs;
    this.#timer = this.#clock.timer(next.dueMs - this.#clock.monotonic(), () => this.#onTimer());
  }

  /** Removes every entry that is due. Timers may fire a fraction of a millisecond early, hence the maximum. */
  #onTimer(): void {
    this.#timer = undefined;
    const nowMs = Math.max(this.#clock.monotonic(), this.#timerMs);
    for (let next = this.#heap[0]; next && next.dueMs <= nowMs; next = this.#heap[0]) {
      this.#removeTop();
      this.#onDue(next);
    }
    this.#arm();
  }

  #removeTop(): void {
    const last = this.#heap.pop();
    if (!last || this.#heap.length === 0) return;
    this.#put(last, 0);
    this.#sink(last);
  }

  #rise(due: D): void {
    for (;;) {
      const parent = this.#heap[(due.heapIndex - 1) >> 1];
      if (due.heapIndex === 0 || !parent || parent.dueMs <= due.dueMs) return;
      this.#swap(due, parent);
    }
  }

  #sink(due: D): void {
    for (;;) {
      const child = this.#earlierChild(due.heapIndex);
      if (!child || child.dueMs >= due.dueMs) return;
      this.#swap(child, due);
    }
  }

  #earlierChild(index: number): D | undefined {
    const [left, right] = [this.#heap[2 * index + 1], this.#heap[2 * index + 2]];
    return right && left && right.dueMs < left.dueMs ? right : left;
  }

  #swap(one: D, other: D): void {
    const { heapIndex } = one;
    this.#put(one, other.heapIndex);
    this.#put(other, heapIndex);
  }

  #put(due: D, index: number): void {
    this.#heap[index] = due;
    due.heapIndex = index;
  }
}
