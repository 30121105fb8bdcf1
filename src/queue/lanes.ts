import type { Clock } from "../base/index.ts";

/** An entry of a lane. */
export interface LaneEntry {
  /** Higher is sooner. Must not change while the entry is in a lane. */
  readonly priority: number;
  /** Monotonic time at which it started to wait. */
  readonly sinceMs: number;
  /** Position in its lane, maintained by the lane. An entry is in one lane at a time. */
  slot: number;
}

/**
 * A priority queue with one first-in-first-out lane per priority.
 *
 * An entry that has waited for `maxWaitMs` is taken before all newer entries of any priority, so that no entry starves.
 */
export class Lanes<W extends LaneEntry> {
  readonly #maxWaitMs: number;
  readonly #clock: Clock;
  /** One lane per priority in use, the highest first. An empty lane is kept only if it is the only one. */
  readonly #lanes: Lane<W>[] = [];
  #size = 0;

  constructor(maxWaitMs: number, clock: Clock) {
    this.#maxWaitMs = maxWaitMs;
    this.#clock = clock;
  }

  get size(): number {
    return this.#size;
  }

  /** Appends the entry to the lane of its priority. */
  push(entry: W): void {
    const highest = this.#lanes[0];
    const lane = highest?.priority === entry.priority ? highest : this.#laneFor(entry.priority);
    lane.push(entry);
    this.#size += 1;
  }

  /** Removes and returns the next entry. */
  shift(): W | undefined {
    if (this.#size === 0) return undefined;
    const lane = this.#lanes.length === 1 ? this.#lanes[0] : this.#nextOfSeveral();
    const next = lane?.first;
    if (lane && next) this.#remove(lane, next);
    return next;
  }

  /** Removes an entry, which must be in a lane. */
  remove(entry: W): void {
    const lane = this.#lanes.find(({ priority }) => priority === entry.priority);
    if (lane) this.#remove(lane, entry);
  }

  #remove(lane: Lane<W>, entry: W): void {
    lane.remove(entry);
    this.#size -= 1;
    if (lane.size === 0 && this.#lanes.length > 1) this.#lanes.splice(this.#lanes.indexOf(lane), 1);
  }

  #nextOfSeveral(): Lane<W> | undefined {
    const highest = this.#lanes[0];
    const oldest = this.#lanes.reduce((best, lane) => (oldestMs(lane) < oldestMs(best) ? lane : best));
    const overdue = this.#clock.monotonic() - oldestMs(oldest) >= this.#maxWaitMs;
    return overdue ? oldest : highest;
  }

  #laneFor(priority: number): Lane<W> {
    const found = this.#lanes.find((lane) => lane.priority === priority);
    if (found) return found;
    if (this.#size === 0) this.#lanes.length = 0;
    const lane = new Lane<W>(priority);
    const at = this.#lanes.findIndex((other) => other.priority < priority);
    this.#lanes.splice(at < 0 ? this.#lanes.length : at, 0, lane);
    return lane;
  }
}

function oldestMs<W extends LaneEntry>({ first }: Lane<W>): number {
  return first?.sinceMs ?? Number.POSITIVE_INFINITY;
}

/** The entries of one priority in a ring buffer. Removal from the middle leaves a gap. */
class Lane<W extends LaneEntry> {
  readonly priority: number;
  size = 0;
  /** The length is a power of two, so that the low bits of a slot number are its index. */
  #slots: (W | undefined)[] = new Array<undefined>(initialSlots);
  /** Slot number of the first entry; never a gap. Slot numbers grow until the lane is empty. */
  #head = 0;
  /** Slot number of the next entry to be pushed. */
  #tail = 0;

  constructor(priority: number) {
    this.priority = priority;
  }

  get first(): W | undefined {
    return this.#slots[this.#head & (this.#slots.length - 1)];
  }

  push(entry: W): void {
    if (this.#tail - this.#head === this.#slots.length) this.#grow();
    entry.slot = this.#tail;
    this.#slots[this.#tail & (this.#slots.length - 1)] = entry;
    this.#tail += 1;
    this.size += 1;
  }

  remove({ slot }: W): void {
    this.#slots[slot & (this.#slots.length - 1)] = undefined;
    this.size -= 1;
    if (this.size === 0) this.#reset();
    else if (slot === this.#head) this.#skipGaps();
  }

  #skipGaps(): void {
    do this.#head += 1;
    while (this.first === undefined);
  }

  #grow(): void {
    const slots = new Array<W | undefined>(this.#slots.length * 2);
    for (let slot = this.#head; slot < this.#tail; slot++)
      slots[slot & (slots.length - 1)] = this.#slots[slot & (this.#slots.length - 1)];
    this.#slots = slots;
  }

  /** Restarts the slot numbers of an empty lane, and frees a large buffer. */
  #reset(): void {
    this.#head = 0;
    this.#tail = 0;
    if (this.#slots.length > maxKeptSlots) this.#slots = new Array<undefined>(initialSlots);
  }
}

const initialSlots = 16;
const maxKeptSlots = 16_384;
