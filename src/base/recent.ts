/**
 * What was added last, by key, so many at most. Of two of one key, the first stays.
 *
 * Not a `Map` whose first is deleted for each that is added: to find the first, it steps over all that were deleted since it
 * last tidied up, which are thousands.
 */
export class Recent<V> {
  readonly #most: number;
  readonly #values = new Map<string, V>();
  /** The keys in the order they came, in a ring. */
  readonly #keys: string[] = [];
  /** Where the next one goes: in place of the oldest, where there are so many. */
  #next = 0;

  constructor(most: number) {
    this.#most = most;
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
    this.#next = (this.#next + 1) % this.#most;
  }
}
