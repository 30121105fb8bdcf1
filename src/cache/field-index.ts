import type { KubeObject } from "../api/index.ts";
import type { Entry } from "./entry.ts";

/** What an object is found by: none, one or many values. */
export type IndexValues<T> = (object: T) => Iterable<string>;

/** Finds entries by values that a function takes from their objects. Values without entries are not kept. */
export class FieldIndex<T extends KubeObject> {
  readonly #values: IndexValues<T>;
  readonly #entries = new Map<string, Set<Entry>>();
  /** Also of entries that are about to be put, and of some that never will be. */
  readonly #valuesOf = new WeakMap<Entry, readonly string[]>();

  constructor(values: IndexValues<T>) {
    this.#values = values;
  }

  /** Finds out what `entry` will be found by, so that to put it costs little. What the function throws is thrown again then. */
  prepare(entry: Entry, object: T): void {
    if (this.#valuesOf.has(entry)) return;
    this.#valuesOf.set(entry, [...new Set(this.#values(object))]);
  }

  /** Takes `entry` up. What the function throws leaves it out, under no value. */
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

  /** Every value that has entries. */
  values(): Iterable<string> {
    return this.#entries.keys();
  }
}

const none: readonly Entry[] = [];
