import type { Clock } from "../base/index.ts";

/** Something that waits in a lane. */
export interface Waiting {
  /** The higher, the sooner. Not to be changed in a lane. */
  readonly priority: number;
  /** Since when it waits, in milliseconds of a monotonic clock. */
  readonly sinceMs: number;
  /** Where it is in its lane, kept by that: it is in one at a time. */
  slot: number;
}

/**
 * What waits to leave: the higher priority first, and within one, what came first.
 *
 * Who has waited for `maxWaitMs` leaves before all who came later, whatever their priority, so that nobody waits for ever.
 */
export class Lanes<W extends Waiting> {
  readonly #maxWaitMs: number;
  readonly #clock: Clock;
  /** Those in use, the highest priority first. Few: one for each priority there is. Of several none is empty. */
  readonly #lanes: Lane<W>[] = [];
  #size = 0;

  constructor(maxWaitMs: number, clock: Clock) {
    this.#maxWaitMs = maxWaitMs;
    this.#clock = clock;
  }

  get size(): number {
    return this.#size;
  }

  /** Goes to the end of the lane of its priority. */
  push(waiting: W): void {
    const highest = this.#lanes[0];
    const lane = highest?.priority === waiting.priority ? highest : this.#laneFor(waiting.priority);
    lane.push(waiting);
    this.#size += 1;
  }

  /** Takes out who is next. */
  shift(): W | undefined {
    if (this.#size === 0) return undefined;
    const lane = this.#lanes.length === 1 ? this.#lanes[0] : this.#nextOfSeveral();
    const next = lane?.first;
    if (lane && next) this.#leave(lane, next);
    return next;
  }

  /** Of what is here. */
  remove(waiting: W): void {
    const lane = this.#lanes.find(({ priority }) => priority === waiting.priority);
    if (lane) this.#leave(lane, waiting);
  }

  #leave(lane: Lane<W>, waiting: W): void {
    lane.remove(waiting);
    this.#size -= 1;
    if (lane.size === 0 && this.#lanes.length > 1) this.#lanes.splice(this.#lanes.indexOf(lane), 1);
  }

  #nextOfSeveral(): Lane<W> | undefined {
    const highest = this.#lanes[0];
    const oldest = this.#lanes.reduce((old, lane) => (since(lane) < since(old) ? lane : old));
    const late = this.#clock.monotonic() - since(oldest) >= this.#maxWaitMs;
    return late ? oldest : highest;
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

function since<W extends Waiting>({ first }: Lane<W>): number {
  return first?.sinceMs ?? Number.POSITIVE_INFINITY;
}

/** A line of one priority: a ring, in which who left from the middle leaves a gap. */
class Lane<W extends Waiting> {
  readonly priority: number;
  size = 0;
  /** As many as a power of two, so that a place is the low bits of a count. */
  #slots: (W | undefined)[] = new Array<undefined>(fewSlots);
  /** The slot of the first, where there is one: never a gap. Slots are counted on and on while the lane is in use. */
  #head = 0;
  /** The slot of who comes next. */
  #tail = 0;

  constructor(priority: number) {
    this.priority = priority;
  }

  get first(): W | undefined {
    return this.#slots[this.#head & (this.#slots.length - 1)];
  }

  push(waiting: W): void {
    if (this.#tail - this.#head === this.#slots.length) this.#grow();
    waiting.slot = this.#tail;
    this.#slots[this.#tail & (this.#slots.length - 1)] = waiting;
    this.#tail += 1;
    this.size += 1;
  }

  remove({ slot }: W): void {
    this.#slots[slot & (this.#slots.length - 1)] = undefined;
    this.size -= 1;
    if (this.size === 0) this.#rest();
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

  /** Counts from the start again, and gives back what only a rush needed. */
  #rest(): void {
    this.#head = 0;
    this.#tail = 0;
    if (this.#slots.length > keptSlots) this.#slots = new Array<undefined>(fewSlots);
  }
}

const fewSlots = 16;
const keptSlots = 16_384;
