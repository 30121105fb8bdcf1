/** A first-in, first-out queue in an array, with amortized constant time. */
export class Fifo<T> {
  #items: (T | undefined)[] = [];
  /** Index of the first item. Items before it are `undefined`. */
  #first = 0;

  get size(): number {
    return this.#items.length - this.#first;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.size === 0) return undefined;
    const item = this.#items[this.#first];
    this.#items[this.#first] = undefined;
    this.#first += 1;
    if (this.#first >= 1024 && this.#first * 2 >= this.#items.length) this.#compact();
    return item;
  }

  clear(): void {
    this.#items = [];
    this.#first = 0;
  }

  /** Removes the gap at the front. */
  #compact(): void {
    this.#items = this.#items.slice(this.#first);
    this.#first = 0;
  }
}
