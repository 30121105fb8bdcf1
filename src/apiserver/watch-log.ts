import type { Clock } from "../base/index.ts";
import type { StorageChange } from "./storage.ts";

export interface WatchLogOptions {
  /** This many of the newest changes are always kept. @default 1_000 */
  readonly least?: number | undefined;
  /** No more than so many are kept. @default 100_000 */
  readonly most?: number | undefined;
  /** Up to `most`, changes are kept this long. @default 75_000 */
  readonly keptMs?: number | undefined;
  /**
   * The changes of all kinds together may hold this many characters of JSON, counted by `WatchHub`. Counts over `least`,
   * so that large objects do not fill the memory. @default 64 Mi
   */
  readonly maxCharacters?: number | undefined;
}

/** One change in a log, with what watchers have made of it, so that each form is written once. */
export interface LoggedChange {
  readonly change: StorageChange;
  readonly atMs: number;
  /** Frames by encoder, then by type of event. Absent for older changes: their frames are not kept. */
  frames?: Map<object, Map<string, Buffer>> | undefined;
}

/** Frames are kept for at most this many of the newest changes. A watcher that is further behind encodes its own. */
export const framedChanges = 1_000;
/** Frames are kept for newest changes of at most this many characters of JSON. The newest change always keeps them. */
export const framedCharacters: number = 8 * 2 ** 20;

/**
 * The newest changes of one kind's objects, in order, for watchers to read at their own pace.
 *
 * Each has a number that counts from 0 and stays the same; old ones are forgotten.
 */
export class WatchLog {
  readonly #clock: Clock;
  readonly #least: number;
  readonly #most: number;
  readonly #keptMs: number;
  #changes: LoggedChange[] = [];
  /** The number of the first one in `#changes`. */
  #first = 0;
  /** The first of `#changes` that is not forgotten. */
  #oldest = 0;
  /** The first of `#changes` that keeps frames. */
  #framed = 0;
  /** Characters of JSON of the changes from `#framed` on. */
  #framedCharacters = 0;
  /** Characters of JSON of the changes from `#oldest` on. */
  #characters = 0;
  #forgotten: number;

  /** @param revision after which changes are logged. */
  constructor(clock: Clock, revision: number, options: WatchLogOptions = {}) {
    const { least = 1_000, most = 100_000, keptMs = 75_000 } = options;
    this.#clock = clock;
    this.#forgotten = revision;
    this.#least = least;
    this.#most = most;
    this.#keptMs = keptMs;
  }

  /** Changes up to this revision can no longer be read. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** The number that the next change will have. */
  get end(): number {
    return this.#first + this.#changes.length;
  }

  /** Number of characters of JSON that the log holds. */
  get characters(): number {
    return this.#characters;
  }

  append(change: StorageChange): void {
    this.#changes.push({ change, atMs: this.#clock.monotonic(), frames: new Map() });
    this.#characters += charactersOf(change);
    this.#framedCharacters += charactersOf(change);
    while (this.#tooManyFramed()) this.#dropOldestFrames();
    while (this.#tooMany()) this.#forgetOldest();
    this.#dropForgotten();
  }

  /** Forgets the oldest change, but never the newest. Returns whether there was one to forget. */
  shrink(): boolean {
    if (this.#changes.length - this.#oldest < 2) return false;
    this.#forgetOldest();
    this.#dropForgotten();
    return true;
  }

  /** The change of this number, or nothing if it is forgotten or yet to come. */
  at(number: number): LoggedChange | undefined {
    const index = number - this.#first;
    return index < this.#oldest ? undefined : this.#changes[index];
  }

  /** The number of the first change after `revision`. */
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

  /** Forgets changes up to a revision. */
  forget(revision: number): void {
    while ((this.#changes[this.#oldest]?.change.revision ?? Number.POSITIVE_INFINITY) <= revision)
      this.#forgetOldest();
    this.#forgotten = Math.max(this.#forgotten, revision);
    this.#dropForgotten();
  }

  #tooMany(): boolean {
    const length = this.#changes.length - this.#oldest;
    if (length <= this.#least) return false;
    const age = this.#clock.monotonic() - (this.#changes[this.#oldest]?.atMs ?? 0);
    return length > this.#most || age > this.#keptMs;
  }

  #tooManyFramed(): boolean {
    const framed = this.#changes.length - this.#framed;
    return framed > framedChanges || (framed > 1 && this.#framedCharacters > framedCharacters);
  }

  #dropOldestFrames(): void {
    const oldest = this.#changes[this.#framed];
    if (!oldest) return;
    oldest.frames = undefined;
    this.#framedCharacters -= charactersOf(oldest.change);
    this.#framed += 1;
  }

  #forgetOldest(): void {
    const oldest = this.#changes[this.#oldest];
    if (!oldest) return;
    if (this.#framed <= this.#oldest) this.#dropOldestFrames();
    this.#forgotten = oldest.change.revision;
    this.#characters -= charactersOf(oldest.change);
    this.#oldest += 1;
  }

  /** Lets go of forgotten changes once they are half of all, so that each is moved at most once. */
  #dropForgotten(): void {
    if (this.#oldest * 2 <= this.#changes.length) return;
    this.#changes = this.#changes.slice(this.#oldest);
    this.#first += this.#oldest;
    this.#framed -= this.#oldest;
    this.#oldest = 0;
  }
}

/** The text that a change adds to the log. What it replaces is the text of an earlier change. */
function charactersOf({ before, after }: StorageChange): number {
  return (after ?? before)?.json.length ?? 0;
}
