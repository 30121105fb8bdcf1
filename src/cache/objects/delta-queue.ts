import type { Entry } from "./entry.ts";

/** One change of an object as a reflector received it. The store decides whether it is new. */
export type EntryDelta =
  | { readonly type: "added" | "updated"; readonly entry: Entry }
  /** An object of a list. `initial` is true for the first list. */
  | { readonly type: "replaced"; readonly entry: Entry; readonly initial: boolean }
  /** `missed` is true for an object that is not in a list any more. */
  | { readonly type: "deleted"; readonly entry: Entry; readonly missed: boolean }
  /** A resync of an unchanged object. */
  | { readonly type: "sync"; readonly entry: Entry };

/** A change that an event of a watch reports. */
export type WatchDelta = Exclude<EntryDelta, { readonly type: "replaced" | "sync" }>;

/** The part of the store that this queue feeds. */
export interface KnownEntries {
  entry(namespace: string, name: string): Entry | undefined;
  entries(): Iterable<Entry>;
}

/**
 * Queues the changes that a reflector receives, in order, until they are processed.
 *
 * - It drops no change except one of two successive deletes of an object.
 * - A list is authoritative. Queued or stored objects that are not in it are deleted before its objects, with `missed:
 *   true` and the newest version that was received.
 * - `drain` processes everything as one batch. The queue is synced when it has processed the first list.
 */
export class DeltaQueue {
  readonly #known: KnownEntries;
  #deltas: EntryDelta[] = [];
  #phase: "empty" | "listed" | "synced" = "empty";

  constructor(known: KnownEntries) {
    this.#known = known;
  }

  /** True if the first list has been processed. */
  get synced(): boolean {
    return this.#phase === "synced";
  }

  /** Queues a change. Two successive deletes of an object become one, of the newest version that the server sent. */
  push(delta: WatchDelta): void {
    const at = delta.type === "deleted" ? this.#lastIndexOf(delta.entry) : -1;
    const last = this.#deltas[at];
    if (delta.type !== "deleted" || last?.type !== "deleted") this.#deltas.push(delta);
    else if (!delta.missed || last.missed) this.#deltas[at] = delta;
  }

  replace(entries: readonly Entry[]): void {
    for (const entry of this.#missing(entries)) this.#deltas.push({ type: "deleted", entry, missed: true });
    const initial = this.#phase !== "synced";
    for (const entry of entries) this.#deltas.push({ type: "replaced", entry, initial });
    if (initial) this.#phase = "listed";
  }

  /** Queues a `sync` of every stored object that has no other queued change. */
  resync(): void {
    const queued = this.#newest();
    for (const entry of this.#known.entries()) {
      if (!queued?.has(entry.key)) this.#deltas.push({ type: "sync", entry });
    }
  }

  drain(process: (delta: EntryDelta) => void): void {
    const listed = this.#phase === "listed";
    const deltas = this.#deltas;
    this.#deltas = [];
    for (const delta of deltas) process(delta);
    if (listed) this.#phase = "synced";
  }

  /** Returns the existing objects that are not in the list. */
  #missing(entries: readonly Entry[]): Entry[] {
    const existing = this.#existing();
    if (existing.length === 0) return existing; // before the first list
    const unchanged = new Set(entries);
    const changed = this.#changedKeys(entries);
    return existing.filter((entry) => !unchanged.has(entry) && !changed.has(entry.key));
  }

  /** Returns the objects that exist before a list: queued, then stored ones, each in its newest version. */
  #existing(): Entry[] {
    const queued = this.#newest();
    const existing: Entry[] = [];
    for (const { type, entry } of queued?.values() ?? []) if (type !== "deleted") existing.push(entry);
    for (const entry of this.#known.entries()) if (!queued?.has(entry.key)) existing.push(entry);
    return existing;
  }

  /**
   * Returns the keys of listed objects in another version than the stored one. They are few; no key string is made for
   * the others.
   */
  #changedKeys(entries: readonly Entry[]): Set<string> {
    const keys = new Set<string>();
    const queued = this.#deltas.length > 0;
    for (const entry of entries) {
      const known = this.#known.entry(entry.namespace, entry.name);
      if (queued || known !== entry) keys.add(entry.key);
    }
    return keys;
  }

  /** Returns the newest queued delta of each key, or `undefined` if the queue is empty. */
  #newest(): Map<string, EntryDelta> | undefined {
    if (this.#deltas.length === 0) return undefined;
    return new Map(this.#deltas.map((delta) => [delta.entry.key, delta]));
  }

  /**
   * Returns the index of the last delta of an object. Batches are small, so a search is cheaper than a map of all keys.
   */
  #lastIndexOf({ namespace, name }: Entry): number {
    return this.#deltas.findLastIndex(({ entry }) => entry.name === name && entry.namespace === namespace);
  }
}
