import { type Clock, TokenBucket } from "../base/index.ts";
import { LruMap } from "./lru-map.ts";
import { type RecordedEvent, sameKey, similarKey, sourceKey } from "./recorded-event.ts";

/** The state of one Event in the cluster: the first occurrence and the count. */
export interface Tally {
  readonly first: RecordedEvent;
  /** Name of the Event. */
  readonly name: string;
  readonly namespace: string;
  /** The latest note. Notes differ if similar events were combined. */
  note: string;
  count: number;
  lastMs: number;
  /** The count in the cluster. 0 if the Event is not written yet. */
  written: number;
}

/**
 * Counts repetitions of events, and combines similar ones: from the tenth note for one reason on, with less than ten
 * minutes between two events, all further ones are one Event.
 */
export class Tallies {
  readonly #nameOf: (event: RecordedEvent) => string;
  readonly #tallies = new LruMap<Tally>(maxEntries);
  readonly #similar = new LruMap<Similar>(maxEntries);

  constructor(nameOf: (event: RecordedEvent) => string) {
    this.#nameOf = nameOf;
  }

  count(event: RecordedEvent): Tally {
    const combined = this.#hasManyNotes(event);
    const key = combined ? similarKey(event) : sameKey(event);
    const note = combined ? `(combined from similar events): ${event.note}` : event.note;
    const tally = this.#tallies.getOr(key, () => this.#fresh(event, note));
    tally.note = note;
    tally.count += 1;
    tally.lastMs = event.atMs;
    return tally;
  }

  all(): Tally[] {
    return this.#tallies.entries().map(([, tally]) => tally);
  }

  /** Forgets a tally. The next occurrence creates a new Event. */
  forget(forgotten: Tally): void {
    for (const [key, tally] of this.#tallies.entries()) if (tally === forgotten) this.#tallies.delete(key);
  }

  get size(): number {
    return this.#tallies.size;
  }

  #fresh(first: RecordedEvent, note: string): Tally {
    const namespace = first.regarding.namespace || "default";
    const name = this.#nameOf(first);
    return { first, name, namespace, note, count: 0, lastMs: first.atMs, written: 0 };
  }

  #hasManyNotes(event: RecordedEvent): boolean {
    const key = similarKey(event);
    const known = this.#similar.get(key);
    const fresh = known === undefined || event.atMs - known.lastMs >= maxGapMs;
    const similar = fresh ? { notes: new Set<string>(), lastMs: 0 } : known;
    similar.lastMs = event.atMs;
    if (similar.notes.size < manyNotes) similar.notes.add(event.note);
    this.#similar.set(key, similar);
    return similar.notes.size >= manyNotes;
  }
}

/** The recent notes of similar events. */
interface Similar {
  readonly notes: Set<string>;
  lastMs: number;
}

const manyNotes = 10;
const maxGapMs = 600_000;
const maxEntries = 4096;

/** Lets 25 events of one type about one object pass, and then one every five minutes. */
export class SpamFilter {
  readonly #clock: Clock;
  readonly #buckets = new LruMap<TokenBucket>(4096);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  passes(event: RecordedEvent): boolean {
    const clock = this.#clock;
    const fresh = (): TokenBucket => new TokenBucket({ perSecond: 1 / 300, burst: 25, clock });
    return this.#buckets.getOr(sourceKey(event), fresh).tryTake();
  }
}
