import type { KubeObject } from "../api/index.ts";
import type { Entry } from "./entry.ts";

/** What an object is found by: none, one or many values. */
export type IndexValues<T> = (object: T) => Iterable<string>;

/** Finds entries by values that a function takes from their objects. Values without entries are not kept. */
export class FieldIndex<T extends KubeObject> {
  readonly #values: IndexValues<T>;
  readonly #entries = new Map<string, Set<Entry>>();
  readonly #valuesOf = new Map<Entry, readonly string[]>();

  constructor(values: IndexValues<T>) {
    this.#values = values;
  }

  /** Takes `entry` up. What the function throws leaves it out, under no value. */
  put(entry: Entry, object: T): void {
    const values = [...new Set(this.#values(object))];
    if (values.length > 0) this.#valuesOf.set(entry, values);
    for (const value of values) {
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

  by(value: string): Iterable<Entry> {
    return this.#entries.get(value) ?? none;
  }

  /** Every value that has entries. */
  values(): Iterable<string> {
    return this.#entries.keys();
  }
}

const none: readonly Entry[] = [];
