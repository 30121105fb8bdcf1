/**
 * Strings in bytewise order, for many of them: adding, removing and finding a place cost little more among 100,000
 * than among ten.
 *
 * They stand in runs of bounded length, so that adding one moves only the rest of its run.
 */
export class SortedKeys {
  /** Each is sorted and not empty, and all of it comes before the next one. */
  readonly #runs: string[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds a key that is not there. */
  add(key: string): void {
    this.#size += 1;
    const at = Math.max(this.#runOf(key), 0);
    const run = this.#runs[at];
    if (!run) return void this.#runs.push([key]);
    run.splice(placeOf(run, key), 0, key);
    if (run.length > longestRun) this.#runs.splice(at + 1, 0, run.splice(longestRun / 2));
  }

  /** Removes a key that is there. */
  remove(key: string): void {
    const at = this.#runOf(key);
    const run = this.#runs[at];
    const place = run ? placeOf(run, key) : -1;
    if (!run || run[place] !== key) return;
    this.#size -= 1;
    run.splice(place, 1);
    if (run.length === 0) this.#runs.splice(at, 1);
  }

  /** The keys from `from` on, in order, for as long as nobody changes them. */
  *from(from: string): Generator<string, void, void> {
    const first = Math.max(this.#runOf(from), 0);
    for (let at = first; at < this.#runs.length; at++) {
      const run = this.#runs[at] ?? [];
      for (let place = at === first ? placeOf(run, from) : 0; place < run.length; place++) {
        yield run[place] as string;
      }
    }
  }

  /** How many keys there are from `from` on that come before `to`. */
  count(from: string, to: string): number {
    return this.#rank(to) - this.#rank(from);
  }

  /** How many keys come before `key`. */
  #rank(key: string): number {
    const at = this.#runOf(key);
    let rank = 0;
    for (let before = 0; before < at; before++) rank += this.#runs[before]?.length ?? 0;
    const run = this.#runs[at];
    return run ? rank + placeOf(run, key) : rank;
  }

  /** The last run that does not start after `key`, or -1. */
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

const longestRun = 512;

/** Where in the sorted run `key` stands, or would. */
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

/**
 * Orders two strings as their UTF-8 bytes are ordered. JavaScript orders by UTF-16 units, which differs only where
 * a surrogate meets a character above U+E000.
 */
export function compareBytes(one: string, other: string): number {
  if (one === other) return 0;
  const natural = one < other ? -1 : 1;
  return astral.test(one) || astral.test(other) ? compareCodePoints(one, other) : natural;
}

const astral = /[\ud800-\udfff]/;

function compareCodePoints(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  for (let at = 0; at < shorter; at++) {
    const difference = rankOf(one.charCodeAt(at)) - rankOf(other.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/** Puts surrogates after all other units, where the characters they stand for belong. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
