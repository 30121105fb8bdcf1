import { type Container, isContainer, setAt, valueAt } from "./container.ts";

/**
 * A document while it is changed. What was handed in stays as it is: containers are copied when they are first
 * reached for, once each.
 *
 * Invariant: what belongs to the draft stands in one place, inside containers that belong to it too.
 */
export class Draft {
  #root: unknown;
  readonly #own = new Set<Container>();

  constructor(document: unknown) {
    this.#root = document;
  }

  get root(): unknown {
    return this.#root;
  }

  /** Puts another document in place of the whole. */
  replace(document: unknown): void {
    this.#root = document;
  }

  /** The container that the last key is a key of, to be changed; or nothing where the way ends before. */
  holderOf(keys: readonly string[]): Container | undefined {
    if (!isContainer(this.#root)) return undefined;
    let holder = this.#owned(this.#root);
    this.#root = holder;
    for (const key of keys.slice(0, -1)) {
      const next = valueAt(holder, key);
      if (!isContainer(next)) return undefined;
      const own = this.#owned(next);
      setAt(holder, key, own);
      holder = own;
    }
    return holder;
  }

  /** Tells that the value is about to stand in a second place, so that a change in one is none in the other. */
  share(value: unknown): void {
    const pending = [value];
    while (pending.length > 0) {
      const next = pending.pop();
      if (!isContainer(next) || !this.#own.delete(next)) continue;
      for (const inner of Object.values(next)) pending.push(inner);
    }
  }

  #owned(container: Container): Container {
    if (this.#own.has(container)) return container;
    const copy = Array.isArray(container) ? [...container] : { ...container };
    this.#own.add(copy);
    return copy;
  }
}
