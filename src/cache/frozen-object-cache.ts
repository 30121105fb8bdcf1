import type { DeepReadonly, KubeObject } from "../api/index.ts";
import type { Entry } from "./entry.ts";

/**
 * Parsed, frozen objects that all readers share. Those read last stay, as long as the bytes they were parsed from are no
 * more than `maxBytes` together.
 */
export class FrozenObjectCache<T extends KubeObject> {
  /** The one read longest ago is first. */
  readonly #views = new Map<Entry, DeepReadonly<T>>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  of(entry: Entry): DeepReadonly<T> {
    const known = this.#views.get(entry);
    if (known) {
      this.#views.delete(entry);
      this.#views.set(entry, known);
      return known;
    }
    const view = frozen(entry.parse<T>()) as DeepReadonly<T>; // the same type, and frozen
    this.#views.set(entry, view);
    this.#bytes += entry.size;
    for (const [oldest] of this.#views) {
      if (this.#bytes <= this.#maxBytes) break;
      this.forget(oldest);
    }
    return view;
  }

  forget(entry: Entry): void {
    if (this.#views.delete(entry)) this.#bytes -= entry.size;
  }
}

function frozen(value: unknown): unknown {
  if (typeof value === "object" && value !== null) {
    for (const part of Object.values(value)) frozen(part);
    Object.freeze(value);
  }
  return value;
}
