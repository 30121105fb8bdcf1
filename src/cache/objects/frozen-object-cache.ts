import type { Frozen, KubeObject } from "../../api/index.ts";
import type { Entry } from "./entry.ts";

/**
 * An LRU cache of parsed, frozen objects that all readers share. It is bounded by the bytes of JSON that they were
 * parsed from.
 */
export class FrozenObjectCache<T extends KubeObject> {
  /** In the order of the last read, oldest first. */
  readonly #objects = new Map<Entry, Frozen<T>>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  of(entry: Entry): Frozen<T> {
    const cached = this.#objects.get(entry);
    if (cached) {
      this.#objects.delete(entry);
      this.#objects.set(entry, cached);
      return cached;
    }
    const object = frozen(entry.parse<T>()) as Frozen<T>; // the same type, and frozen
    this.#objects.set(entry, object);
    this.#bytes += entry.size;
    for (const [oldest] of this.#objects) {
      if (this.#bytes <= this.#maxBytes) break;
      this.forget(oldest);
    }
    return object;
  }

  forget(entry: Entry): void {
    if (this.#objects.delete(entry)) this.#bytes -= entry.size;
  }
}

function frozen(value: unknown): unknown {
  if (typeof value === "object" && value !== null) {
    for (const part of Object.values(value)) frozen(part);
    Object.freeze(value);
  }
  return value;
}
