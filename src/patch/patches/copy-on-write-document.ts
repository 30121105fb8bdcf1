import { type Container, isContainer, setAt, valueAt } from "./container.ts";

/**
 * A copy-on-write document. The input stays unchanged: each container is copied when it is first modified.
 *
 * Invariant: an owned container has one parent, which is owned too.
 */
export class CopyOnWriteDocument {
  #root: unknown;
  readonly #owned = new Set<Container>();

  constructor(document: unknown) {
    this.#root = document;
  }

  get root(): unknown {
    return this.#root;
  }

  /** Replaces the whole document. */
  replace(document: unknown): void {
    this.#root = document;
  }

  /** Returns the container of the last key for modification, or `undefined` if the path ends earlier. */
  parentOf(keys: readonly string[]): Container | undefined {
    if (!isContainer(this.#root)) return undefined;
    let parent = this.#own(this.#root);
    this.#root = parent;
    for (const key of keys.slice(0, -1)) {
      const next = valueAt(parent, key);
      if (!isContainer(next)) return undefined;
      const own = this.#own(next);
      setAt(parent, key, own);
      parent = own;
    }
    return parent;
  }

  /**
   * Marks a value as shared before it is stored at a second path, so that a change at one path does not affect the
   * other.
   */
  share(value: unknown): void {
    const pending = [value];
    while (pending.length > 0) {
      const next = pending.pop();
      if (!isContainer(next) || !this.#owned.delete(next)) continue;
      for (const inner of Object.values(next)) pending.push(inner);
    }
  }

  #own(container: Container): Container {
    if (this.#owned.has(container)) return container;
    const copy = Array.isArray(container) ? [...container] : { ...container };
    this.#owned.add(copy);
    return copy;
  }
}
