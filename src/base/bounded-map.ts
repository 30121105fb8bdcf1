/**
 * A map that keeps the newest `maxEntries` keys. Adding an existing key has no effect.
 *
 * It does not delete the first key of a `Map` for each added one: to find the first key, V8 steps over all entries
 * deleted since the last rehash, which are thousands.
 */
export class BoundedMap<V> {
  readonly #maxEntries: number;
  readonly #values = new Map<string, V>();
  /** The keys in insertion order, as a ring. */
  readonly #keys: string[] = [];
  /** Ring index of the next key. It replaces the oldest key once the ring is full. */
  #next = 0;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  add(key: string, value: V): void {
    if (this.#values.has(key)) return;
    const oldest = this.#keys[this.#next];
    if (oldest !== undefined) this.#values.delete(oldest);
    this.#values.set(key, value);
    this.#keys[this.#next] = key;
    this.#next = (this.#next + 1) % this.#maxEntries;
  }
}
