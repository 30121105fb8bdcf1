/** An entry of a `Heap`. */
export interface HeapEntry {
  /** Index in the heap, maintained by `Heap`. Meaningless while the entry is in none. */
  heapIndex: number;
}

/**
 * Keeps entries so that the first one is found at once, and any entry is added or removed in logarithmic time.
 *
 * It is a binary heap: the children of index `i` are at `2 * i + 1` and `2 * i + 2`, and no child comes before its
 * parent. An entry is in at most one heap, and at most once.
 */
export class Heap<T extends HeapEntry> {
  readonly #entries: T[] = [];
  readonly #isBefore: (one: T, other: T) => boolean;

  constructor(isBefore: (one: T, other: T) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#entries.length;
  }

  get first(): T | undefined {
    return this.#entries[0];
  }

  add(entry: T): void {
    entry.heapIndex = this.#entries.length;
    this.#entries.push(entry);
    this.moveUp(entry);
  }

  /** Removes an entry. Returns false if it is not in the heap. */
  remove(entry: T): boolean {
    const { heapIndex } = entry;
    if (this.#entries[heapIndex] !== entry) return false;
    const last = this.#entries.pop();
    if (!last || last === entry) return true;
    this.#put(last, heapIndex);
    this.moveUp(last);
    this.#moveDown(last);
    return true;
  }

  clear(): void {
    this.#entries.length = 0;
  }

  /** Restores the order after an entry has moved towards the front. */
  moveUp(entry: T): void {
    for (;;) {
      const parent = this.#entries[(entry.heapIndex - 1) >> 1];
      if (entry.heapIndex === 0 || !parent || !this.#isBefore(entry, parent)) return;
      this.#swap(entry, parent);
    }
  }

  #moveDown(entry: T): void {
    for (;;) {
      const child = this.#firstChild(entry.heapIndex);
      if (!child || !this.#isBefore(child, entry)) return;
      this.#swap(child, entry);
    }
  }

  #firstChild(index: number): T | undefined {
    const [left, right] = [this.#entries[2 * index + 1], this.#entries[2 * index + 2]];
    return right && left && this.#isBefore(right, left) ? right : left;
  }

  #swap(one: T, other: T): void {
    const { heapIndex } = one;
    this.#put(one, other.heapIndex);
    this.#put(other, heapIndex);
  }

  #put(entry: T, index: number): void {
    this.#entries[index] = entry;
    entry.heapIndex = index;
  }
}
