import type { Clock } from "../../base/index.ts";
import type { StorageChange } from "../storage/storage.ts";

export interface WatchLogOptions {
  /** Minimum number of the newest changes that are kept. @default 1_000 */
  readonly minChanges?: number | undefined;
  /** Maximum number of changes that are kept. @default 100_000 */
  readonly maxChanges?: number | undefined;
  /** Changes beyond `minChanges` are kept for this time. @default 75_000 */
  readonly maxAgeMs?: number | undefined;
  /**
   * Maximum number of JSON characters in the changes of all kinds, counted by `WatchHub`. Takes precedence over
   * `minChanges`, so that large objects do not fill the memory. @default 64 Mi
   */
  readonly maxCharacters?: number | undefined;
}

/** A change in a log with its encoded events, so that each form is encoded once. */
export interface LoggedChange {
  readonly change: StorageChange;
  readonly atMs: number;
  /** Frames by encoder and event type. Absent for older changes, whose frames are not kept. */
  frames?: Map<object, Map<string, Buffer>> | undefined;
}

/** Maximum number of the newest changes whose frames are kept. A watcher that is further behind encodes its own. */
export const maxFramedChanges = 1_000;
/**
 * Maximum number of JSON characters of the newest changes whose frames are kept. The newest change always keeps them.
 */
export const maxFramedCharacters: number = 8 * 2 ** 20;

/**
 * The newest changes of one kind's objects, in order. Watchers read them at their own pace.
 *
 * Each change has a stable index that counts from 0. Old changes are discarded.
 */
export class WatchLog {
  readonly #clock: Clock;
  readonly #minChanges: number;
  readonly #maxChanges: number;
  readonly #maxAgeMs: number;
  #changes: LoggedChange[] = [];
  /** The index of the first change in `#changes`. */
  #first = 0;
  /** The first of `#changes` that is not discarded. */
  #oldest = 0;
  /** The first of `#changes` that keeps frames. */
  #framed = 0;
  /** Characters of JSON of the changes from `#framed` on. */
  #framedCharacters = 0;
  /** Characters of JSON of the changes from `#oldest` on. */
  #characters = 0;
  #compacted: number;

  /** @param revision The log contains the changes after this revision. */
  constructor(clock: Clock, revision: number, options: WatchLogOptions = {}) {
    const { minChanges = 1_000, maxChanges = 100_000, maxAgeMs = 75_000 } = options;
    this.#clock = clock;
    this.#compacted = revision;
    this.#minChanges = minChanges;
    this.#maxChanges = maxChanges;
    this.#maxAgeMs = maxAgeMs;
  }

  /** Changes up to this revision cannot be read any longer. */
  get compacted(): number {
    return this.#compacted;
  }

  /** The index of the next change. */
  get end(): number {
    return this.#first + this.#changes.length;
  }

  /** Number of JSON characters in the log. */
  get characters(): number {
    return this.#characters;
  }

  append(change: StorageChange): void {
    this.#changes.push({ change, atMs: this.#clock.monotonic(), frames: new Map() });
    this.#characters += charactersOf(change);
    this.#framedCharacters += charactersOf(change);
    while (this.#tooManyFramed()) this.#dropOldestFrames();
    while (this.#tooMany()) this.#discardOldest();
    this.#dropDiscarded();
  }

  /** Discards the oldest change, but never the newest. Returns true if it discarded one. */
  shrink(): boolean {
    if (this.#changes.length - this.#oldest < 2) return false;
    this.#discardOldest();
    this.#dropDiscarded();
    return true;
  }

  /** Returns the change at an index, or `undefined` if it is discarded or does not exist yet. */
  at(position: number): LoggedChange | undefined {
    const index = position - this.#first;
    return index < this.#oldest ? undefined : this.#changes[index];
  }

  /** Returns the index of the first change after `revision`. */
  after(revision: number): number {
    let low = this.#oldest;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#changes[middle]?.change.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#first + low;
  }

  /** Discards changes up to a revision. */
  compact(revision: number): void {
    while ((this.#changes[this.#oldest]?.change.revision ?? Number.POSITIVE_INFINITY) <= revision)
      this.#discardOldest();
    this.#compacted = Math.max(this.#compacted, revision);
    this.#dropDiscarded();
  }

  #tooMany(): boolean {
    const length = this.#changes.length - this.#oldest;
    if (length <= this.#minChanges) return false;
    const age = this.#clock.monotonic() - (this.#changes[this.#oldest]?.atMs ?? 0);
    return length > this.#maxChanges || age > this.#maxAgeMs;
  }

  #tooManyFramed(): boolean {
    const framed = this.#changes.length - this.#framed;
    return framed > maxFramedChanges || (framed > 1 && this.#framedCharacters > maxFramedCharacters);
  }

  #dropOldestFrames(): void {
    const oldest = this.#changes[this.#framed];
    if (!oldest) return;
    oldest.frames = undefined;
    this.#framedCharacters -= charactersOf(oldest.change);
    this.#framed += 1;
  }

  #discardOldest(): void {
    const oldest = this.#changes[this.#oldest];
    if (!oldest) return;
    if (this.#framed <= this.#oldest) this.#dropOldestFrames();
    this.#compacted = oldest.change.revision;
    this.#characters -= charactersOf(oldest.change);
    this.#oldest += 1;
  }

  /**
   * Drops discarded changes from the array once they are more than half of it, so that each change is moved at most
   * once.
   */
  #dropDiscarded(): void {
    if (this.#oldest * 2 <= this.#changes.length) return;
    this.#changes = this.#changes.slice(this.#oldest);
    this.#first += this.#oldest;
    this.#framed -= this.#oldest;
    this.#oldest = 0;
  }
}

/**
 * Returns the length of the JSON that a change adds to the log. The JSON that it replaces belongs to an earlier change.
 */
function charactersOf({ before, after }: StorageChange): number {
  return (after ?? before)?.json.length ?? 0;
}
