import type { Entry } from "./entry.ts";

/** One thing that was heard of an object. Whether it is news is for the store to say. */
export type Delta =
  | { readonly type: "added" | "updated"; readonly entry: Entry }
  /** Listed. */
  | { readonly type: "replaced"; readonly entry: Entry /** In the first list. */; readonly initial: boolean }
  | {
      readonly type: "deleted";
      readonly entry: Entry /** Not in a list any more. */;
      readonly missed: boolean;
    }
  /** As it was, once more. */
  | { readonly type: "sync"; readonly entry: Entry };

/** What has left the queue: the part of the store that this queue fills. */
export interface Known {
  entry(namespace: string, name: string): Entry | undefined;
  entries(): Iterable<Entry>;
}

/**
 * What a reflector hears, in order, until it is processed.
 *
 * - Nothing is left out but the first of two deletes of one object in a row.
 * - A list says what is there. What is not in it, and was queued or known, is deleted first: as `missed`, with the
 *   newest version that was heard of.
 * - `drain` is the only way out, and processes everything as one batch. The queue is synced when that has happened to
 *   the first list.
 */
export class DeltaQueue {
  readonly #known: Known;
  #deltas: Delta[] = [];
  #phase: "empty" | "listed" | "synced" = "empty";

  constructor(known: Known) {
    this.#known = known;
  }

  /** The first list has been processed. */
  get synced(): boolean {
    return this.#phase === "synced";
  }

  put(type: "added" | "updated", entry: Entry): void {
    this.#deltas.push({ type, entry });
  }

  delete(entry: Entry, missed: boolean): void {
    const at = this.#lastOf(entry);
    const last = this.#deltas[at];
    if (last?.type !== "deleted") this.#deltas.push({ type: "deleted", entry, missed });
    else if (!missed || last.missed) this.#deltas[at] = { type: "deleted", entry, missed };
  }

  replace(entries: readonly Entry[]): void {
    for (const entry of this.#vanished(entries)) this.#deltas.push({ type: "deleted", entry, missed: true });
    const initial = this.#phase !== "synced";
    for (const entry of entries) this.#deltas.push({ type: "replaced", entry, initial });
    if (initial) this.#phase = "listed";
  }

  /** Says again what is known, but for what is about to be heard of anyway. */
  resync(): void {
    const queued = this.#newest();
    for (const entry of this.#known.entries()) {
      if (!queued?.has(entry.key)) this.#deltas.push({ type: "sync", entry });
    }
  }

  drain(process: (delta: Delta) => void): void {
    const listed = this.#phase === "listed";
    const deltas = this.#deltas;
    this.#deltas = [];
    for (const delta of deltas) process(delta);
    if (listed) this.#phase = "synced";
  }

  #vanished(entries: readonly Entry[]): Entry[] {
    const there = this.#there();
    if (there.length === 0) return there; // as before the first list
    const same = new Set(entries);
    const others = this.#others(entries);
    return there.filter((entry) => !same.has(entry) && !others.has(entry.key));
  }

  /** What was there until now: what is queued, then what is known, each in its newest version. */
  #there(): Entry[] {
    const queued = this.#newest();
    const there: Entry[] = [];
    for (const { type, entry } of queued?.values() ?? []) if (type !== "deleted") there.push(entry);
    for (const entry of this.#known.entries()) if (!queued?.has(entry.key)) there.push(entry);
    return there;
  }

  /** Keys of what is listed in another version than was there. Mostly few: no text is made for the rest. */
  #others(entries: readonly Entry[]): Set<string> {
    const keys = new Set<string>();
    const queued = this.#deltas.length > 0;
    for (const entry of entries) {
      const known = this.#known.entry(entry.namespace, entry.name);
      if (queued || known !== entry) keys.add(entry.key);
    }
    return keys;
  }

  /** The newest delta of each key that is queued, if any is. */
  #newest(): Map<string, Delta> | undefined {
    if (this.#deltas.length === 0) return undefined;
    return new Map(this.#deltas.map((delta) => [delta.entry.key, delta]));
  }

  /** Batches are small: looking costs less than a map of all keys. */
  #lastOf({ namespace, name }: Entry): number {
    return this.#deltas.findLastIndex(({ entry }) => entry.name === name && entry.namespace === namespace);
  }
}
