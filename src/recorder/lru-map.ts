/** A map that evicts the least recently used entry when it is full. */
export class LruMap<V> {
  readonly #limit: number;
  /** Entries in the order of use, the latest last. */
  readonly #entries = new Map<string, V>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#limit) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }

  /** Returns the value of the key. A missing value is made and stored. */
  getOr(key: string, make: () => V): V {
    const known = this.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.set(key, made);
    return made;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  entries(): Array<[string, V]> {
    return [...this.#entries];
  }

  get size(): number {
    return this.#entries.size;
  }
}
