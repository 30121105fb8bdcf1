import type { KubeObject } from "../../api/index.ts";
import type { Entry } from "./entry.ts";

/** Returns the index values of an object: none, one or many. */
export type IndexValues<T> = (object: T) => Iterable<string>;

/** Finds entries by the values that a function computes from their objects. Values without entries are dropped. */
export class FieldIndex<T extends KubeObject> {
  readonly #values: IndexValues<T>;
  readonly #entries = new Map<string, Set<Entry>>();
  /** Values by entry. It may have entries that are not in the index yet, or never will be. */
  readonly #valuesOf = new WeakMap<Entry, readonly string[]>();

  constructor(values: IndexValues<T>) {
    this.#values = values;
  }

  /** Computes the values of an entry ahead of `put`, to make that cheap. Errors of the function are thrown. */
  prepare(entry: Entry, object: T): void {
    if (this.#valuesOf.has(entry)) return;
    this.#valuesOf.set(entry, [...new Set(this.#values(object))]);
  }

  /** Adds an entry. If the function throws, this throws, and the index has the entry under no value. */
  put(entry: Entry, object: () => T): void {
    if (!this.#valuesOf.has(entry)) this.prepare(entry, object());
    for (const value of this.#valuesOf.get(entry) ?? []) {
      const found = this.#entries.get(value);
      if (found) found.add(entry);
      else this.#entries.set(value, new Set([entry]));
    }
  }

  remove(entry: Entry): void {
    for (const value of this.#valuesOf.get(entry) ?? []) {
      const found = this.#entries.get(value);
      found?.delete(entry);
      if (found?.size === 0) this.#entries.delete(value);
    }
    this.#valuesOf.delete(entry);
  }

  has(value: string, entry: Entry): boolean {
    return this.#entries.get(value)?.has(entry) ?? false;
  }

  by(value: string): Iterable<Entry> {
    return this.#entries.get(value) ?? none;
  }

  /** Returns every value that has entries. */
  values(): Iterable<string> {
    return this.#entries.keys();
  }
}

const none: readonly Entry[] = [];
