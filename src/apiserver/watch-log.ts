import type { Clock } from "../base/index.ts";
import type { Change } from "./storage.ts";

export interface WatchLogOptions {
  /** This many of the newest changes are always kept. @default 1_000 */
  readonly least?: number | undefined;
  /** No more than so many are kept. @default 100_000 */
  readonly most?: number | undefined;
  /** Up to `most`, changes are kept this long. @default 75_000 */
  readonly keptMs?: number | undefined;
}

/** One change in a log, with what watchers have made of it, so that each form is written once. */
export interface LoggedChange {
  readonly change: Change;
  readonly atMs: number;
  /** Frames by whom they were written, then by type of event. */
  readonly frames: Map<object, Map<string, Buffer>>;
}

/** What watchers made of this many of the newest changes is kept: who is further behind makes it again. */
export const framedChanges = 1_000;

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

  append(change: Change): void {
    this.#changes.push({ change, atMs: this.#clock.monotonic(), frames: new Map() });
    this.#changes[this.#changes.length - 1 - framedChanges]?.frames.clear();
    while (this.#tooMany()) this.#forgetOldest();
    this.#dropForgotten();
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

  #forgetOldest(): void {
    this.#forgotten = this.#changes[this.#oldest]?.change.revision ?? this.#forgotten;
    this.#oldest += 1;
  }

  /** Lets go of forgotten changes once they are half of all, so that each is moved at most once. */
  #dropForgotten(): void {
    if (this.#oldest * 2 <= this.#changes.length) return;
    this.#changes = this.#changes.slice(this.#oldest);
    this.#first += this.#oldest;
    this.#oldest = 0;
  }
}
