import { compareBytes } from "../../schema/index.ts";

/**
 * A set of strings in bytewise order. Adding, removing and finding a key cost little more among 100,000 keys than among
 * ten.
 *
 * The keys are stored in runs of bounded length, so that adding one moves only the rest of its run.
 */
export class SortedKeys {
  /** Every run is sorted and not empty, and its keys come before those of the next run. */
  readonly #runs: string[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds a key. It must not exist. */
  add(key: string): void {
    this.#size += 1;
    const at = Math.max(this.#runOf(key), 0);
    const run = this.#runs[at];
    if (!run) return void this.#runs.push([key]);
    run.splice(placeOf(run, key), 0, key);
    if (run.length > maxRunLength) this.#runs.splice(at + 1, 0, run.splice(maxRunLength / 2));
  }

  /** Removes a key. Does nothing if it does not exist. */
  remove(key: string): void {
    const at = this.#runOf(key);
    const run = this.#runs[at];
    const place = run ? placeOf(run, key) : -1;
    if (!run || run[place] !== key) return;
    this.#size -= 1;
    run.splice(place, 1);
    if (run.length === 0) this.#runs.splice(at, 1);
  }

  /** Iterates over the keys from `from` on, in order. The set must not change meanwhile. */
  *from(from: string): Generator<string, void, void> {
    const first = Math.max(this.#runOf(from), 0);
    for (let at = first; at < this.#runs.length; at++) {
      const run = this.#runs[at] ?? [];
      for (let place = at === first ? placeOf(run, from) : 0; place < run.length; place++) {
        yield run[place] as string;
      }
    }
  }

  /** Returns the number of keys from `from` on that come before `to`. */
  count(from: string, to: string): number {
    return this.#rank(to) - this.#rank(from);
  }

  /** Returns the number of keys before `key`. */
  #rank(key: string): number {
    const at = this.#runOf(key);
    let rank = 0;
    for (let before = 0; before < at; before++) rank += this.#runs[before]?.length ?? 0;
    const run = this.#runs[at];
    return run ? rank + placeOf(run, key) : rank;
  }

  /** Returns the index of the last run that does not start after `key`, or -1. */
  #runOf(key: string): number {
    let low = 0;
    let high = this.#runs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareBytes(this.#runs[middle]?.[0] ?? "", key) <= 0) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

const maxRunLength = 512;

/** Returns the index of `key` in a sorted run, or the index at which it would be inserted. */
function placeOf(run: readonly string[], key: string): number {
  let low = 0;
  let high = run.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareBytes(run[middle] ?? "", key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
