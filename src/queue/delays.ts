import type { Clock, Timer } from "../base/index.ts";

/** Something that is to happen at a time. */
export interface Due {
  /** On the clock's monotonic scale. */
  dueMs: number;
  /** Its place among those that wait, kept by `Delays`. */
  place: number;
}

/**
 * Calls `onDue` with each thing when its time has come, the earliest first; what is due at the same time, in no order
 * to rely on. One timer for all of them: a heap holds what is next on top.
 */
export class Delays<D extends Due> {
  readonly #clock: Clock;
  readonly #onDue: (due: D) => void;
  /** A heap: none is later than the two below it, at twice its place and one and two more. */
  readonly #heap: D[] = [];
  #timer: Timer | undefined;
  /** When the timer runs out. */
  #timerMs = 0;

  constructor(clock: Clock, onDue: (due: D) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  get size(): number {
    return this.#heap.length;
  }

  add(due: D): void {
    due.place = this.#heap.length;
    this.#heap.push(due);
    this.#rise(due);
    this.#arm();
  }

  /** It is due earlier than before. */
  hasten(due: D): void {
    this.#rise(due);
    this.#arm();
  }

  /** Forgets all of them. */
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
    this.#timer = this.#clock.timer(next.dueMs - this.#clock.monotonic(), () => this.#ring());
  }

  /** What is due within the same moment leaves together: timers come a fraction of a millisecond early at times. */
  #ring(): void {
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
      const above = this.#heap[(due.place - 1) >> 1];
      if (due.place === 0 || !above || above.dueMs <= due.dueMs) return;
      this.#swap(due, above);
    }
  }

  #sink(due: D): void {
    for (;;) {
      const below = this.#earlierBelow(due.place);
      if (!below || below.dueMs >= due.dueMs) return;
      this.#swap(below, due);
    }
  }

  #earlierBelow(place: number): D | undefined {
    const [left, right] = [this.#heap[2 * place + 1], this.#heap[2 * place + 2]];
    return right && left && right.dueMs < left.dueMs ? right : left;
  }

  #swap(one: D, other: D): void {
    const { place } = one;
    this.#put(one, other.place);
    this.#put(other, place);
  }

  #put(due: D, place: number): void {
    this.#heap[place] = due;
    due.place = place;
  }
}
