/** First in, first out, in an array that does not grow with what has left it. */
export class Fifo<T> {
  #items: (T | undefined)[] = [];
  /** Where the first is. Before it nothing is kept. */
  #first = 0;

  get size(): number {
    return this.#items.length - this.#first;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    const item = this.#items[this.#first];
    if (item === undefined) return undefined;
    this.#items[this.#first] = undefined;
    this.#first += 1;
    if (this.#first >= 1024 && this.#first * 2 >= this.#items.length) this.#close();
    return item;
  }

  clear(): void {
    this.#items = [];
    this.#first = 0;
  }

  /** The gap at the front. */
  #close(): void {
    this.#items = this.#items.slice(this.#first);
    this.#first = 0;
  }
}
