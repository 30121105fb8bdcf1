import { Recent } from "./recent.ts";
import { type RecordedEvent, sameKey, similarKey } from "./recorded-event.ts";

/** What is one Event in the cluster: something that happened, and how often. */
export interface Tally {
  readonly first: RecordedEvent;
  /** In the cluster. */
  readonly name: string;
  readonly namespace: string;
  /** The latest words: they differ where similar events were put together. */
  note: string;
  count: number;
  lastMs: number;
  /** The count that the cluster has. 0 where it has no such Event. */
  written: number;
}

/**
 * Counts events that say the same, and puts those together that say nearly the same: from the tenth way in which one reason
 * is put, with no more than ten minutes between two, all further ones are one.
 */
export class Tallies {
  readonly #nameOf: (event: RecordedEvent) => string;
  readonly #tallies = new Recent<Tally>(remembered);
  readonly #similar = new Recent<Similar>(remembered);

  constructor(nameOf: (event: RecordedEvent) => string) {
    this.#nameOf = nameOf;
  }

  count(event: RecordedEvent): Tally {
    const together = this.#isOneOfMany(event);
    const key = together ? similarKey(event) : sameKey(event);
    const note = together ? `(combined from similar events): ${event.note}` : event.note;
    const tally = this.#tallies.getOr(key, () => this.#fresh(event, note));
    tally.note = note;
    tally.count += 1;
    tally.lastMs = event.atMs;
    return tally;
  }

  all(): Tally[] {
    return this.#tallies.entries().map(([, tally]) => tally);
  }

  /** The next event that says the same is a new one. */
  forget(gone: Tally): void {
    for (const [key, tally] of this.#tallies.entries()) if (tally === gone) this.#tallies.delete(key);
  }

  get size(): number {
    return this.#tallies.size;
  }

  #fresh(first: RecordedEvent, note: string): Tally {
    const namespace = first.regarding.namespace || "default";
    const name = this.#nameOf(first);
    return { first, name, namespace, note, count: 0, lastMs: first.atMs, written: 0 };
  }

  #isOneOfMany(event: RecordedEvent): boolean {
    const key = similarKey(event);
    const known = this.#similar.get(key);
    const fresh = known === undefined || event.atMs - known.lastMs >= apartMs;
    const similar = fresh ? { notes: new Set<string>(), lastMs: 0 } : known;
    similar.lastMs = event.atMs;
    if (similar.notes.size < manyNotes) similar.notes.add(event.note);
    this.#similar.set(key, similar);
    return similar.notes.size >= manyNotes;
  }
}

/** In how many ways one thing was told lately. */
interface Similar {
  readonly notes: Set<string>;
  lastMs: number;
}

const manyNotes = 10;
const apartMs = 600_000;
const remembered = 4096;
