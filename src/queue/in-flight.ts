/** An entry that is being processed. */
export interface InFlightEntry {
  /** Index of its start time, maintained by `InFlight`. */
  slot: number;
}

/**
 * The start times of all entries that are being processed. They are kept here and not in the entries, because most
 * entries are idle. An entry that is never removed occupies one slot, however many entries follow.
 */
export class InFlight {
  /** Start time by slot; `never` for free slots. */
  #times: number[] = [];
  /** Free slots. */
  #free: number[] = [];

  add(entry: InFlightEntry, nowMs: number): void {
    entry.slot = this.#free.pop() ?? this.#times.length;
    this.#times[entry.slot] = nowMs;
  }

  /** Removes an entry and returns its start time. */
  remove({ slot }: InFlightEntry): number {
    const startMs = this.#times[slot] ?? never;
    this.#times[slot] = never;
    this.#free.push(slot);
    if (this.#times.length > maxKeptSlots && this.#free.length === this.#times.length) this.#reset();
    return startMs;
  }

  /** Returns the number of entries, and the sum and maximum of their durations. Visits every entry. */
  measure(nowMs: number): { readonly count: number; readonly sumMs: number; readonly longestMs: number } {
    const durations = this.#times.filter((startMs) => startMs !== never).map((startMs) => nowMs - startMs);
    return {
      count: durations.length,
      sumMs: durations.reduce((sum, ms) => sum + ms, 0),
      longestMs: durations.reduce((longest, ms) => Math.max(longest, ms), 0),
    };
  }

  /** Frees the memory of a burst. */
  #reset(): void {
    this.#times = [];
    this.#free = [];
  }
}

const never = Number.POSITIVE_INFINITY;
const maxKeptSlots = 1024;
