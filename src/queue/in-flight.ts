/** Something that is out. */
export interface InFlightEntry {
  /** Where its time stands, kept by `InFlight`. */
  slot: number;
}

/**
 * When what is out left. The times stand here, not in what is out: of what could be out, far more rests. One that never comes
 * back takes one slot, however many leave after it.
 */
export class InFlight {
  /** By slot; never, where nobody has it. */
  #times: number[] = [];
  /** The slots that nobody has. */
  #free: number[] = [];

  add(out: InFlightEntry, nowMs: number): void {
    out.slot = this.#free.pop() ?? this.#times.length;
    this.#times[out.slot] = nowMs;
  }

  /** Tells when it left. */
  remove({ slot }: InFlightEntry): number {
    const leftMs = this.#times[slot] ?? never;
    this.#times[slot] = never;
    this.#free.push(slot);
    if (this.#times.length > keptSlots && this.#free.length === this.#times.length) this.#rest();
    return leftMs;
  }

  /** How long they have been out: all together, and who is out longest. Goes through all of them. */
  measure(nowMs: number): { readonly count: number; readonly sumMs: number; readonly longestMs: number } {
    const spans = this.#times.filter((leftMs) => leftMs !== never).map((leftMs) => nowMs - leftMs);
    return {
      count: spans.length,
      sumMs: spans.reduce((sum, ms) => sum + ms, 0),
      longestMs: spans.reduce((longest, ms) => Math.max(longest, ms), 0),
    };
  }

  /** Gives back what only a rush needed. */
  #rest(): void {
    this.#times = [];
    this.#free = [];
  }
}

const never = Number.POSITIVE_INFINITY;
const keptSlots = 1024;
