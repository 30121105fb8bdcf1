/** Marks on objects, by key. A key may have several marks; obsolete marks are dropped one by one. */
export class Marks<M> {
  readonly #marks = new Map<string, readonly M[]>();

  /** Number of keys that have a mark. */
  get size(): number {
    return this.#marks.size;
  }

  add(key: string, mark: M): void {
    this.#marks.set(key, [...(this.#marks.get(key) ?? none), mark]);
  }

  of(key: string): readonly M[] {
    return this.#marks.size > 0 ? (this.#marks.get(key) ?? none) : none;
  }

  /** Returns the keys that have a mark, oldest first. */
  keys(): Iterable<string> {
    return this.#marks.keys();
  }

  delete(key: string): void {
    this.#marks.delete(key);
  }

  /** Drops the marks for which `isCurrent` returns false. */
  keep(isCurrent: (mark: M, key: string) => boolean): void {
    for (const [key, marks] of this.#marks) {
      const current = marks.filter((mark) => isCurrent(mark, key));
      if (current.length === 0) this.#marks.delete(key);
      else if (current.length < marks.length) this.#marks.set(key, current);
    }
  }
}

const none: readonly never[] = [];
