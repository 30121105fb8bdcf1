import type { Clock } from "../base/index.ts";

/** Something that waits in a lane: it carries its own place, so that it can leave from anywhere at no cost. */
export interface Waiting {
  /** The higher, the sooner. */
  priority: number;
  /** Since when it waits, in milliseconds of a monotonic clock. */
  sinceMs: number;
  lane: Lane<this> | undefined;
  before: this | undefined;
  after: this | undefined;
}

/**
 * What waits to leave: the higher priority first, and within one, what came first.
 *
 * Who has waited for `patienceMs` leaves before all who came later, whatever their priority, so that nobody waits for ever.
 */
export class Lanes<W extends Waiting> {
  readonly #patienceMs: number;
  readonly #clock: Clock;
  /** Those in use, the highest priority first. Few: one for each priority there is. Of several none is empty. */
  readonly #lanes: Lane<W>[] = [];
  #size = 0;

  constructor(patienceMs: number, clock: Clock) {
    this.#patienceMs = patienceMs;
    this.#clock = clock;
  }

  get size(): number {
    return this.#size;
  }

  /** Goes to the end of the lane of its priority. */
  push(waiting: W): void {
    const [highest] = this.#lanes;
    const lane = highest?.priority === waiting.priority ? highest : this.#laneFor(waiting.priority);
    lane.push(waiting);
    this.#size += 1;
  }

  /** Takes out who is next. */
  shift(): W | undefined {
    const next = this.#lanes.length === 1 ? this.#lanes[0]?.first : this.#nextOfSeveral();
    if (next) this.remove(next);
    return next;
  }

  /** Of what is here. */
  remove(waiting: W): void {
    const { lane } = waiting;
    lane?.remove(waiting);
    this.#size -= 1;
    if (lane && !lane.first && this.#lanes.length > 1) this.#lanes.splice(this.#lanes.indexOf(lane), 1);
  }

  #nextOfSeveral(): W | undefined {
    const first = this.#lanes[0]?.first;
    const oldest = this.#lanes.reduce((old, lane) => older(old, lane.first), first);
    const late = oldest && this.#clock.monotonic() - oldest.sinceMs >= this.#patienceMs;
    return late ? oldest : first;
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

function older<W extends Waiting>(one: W | undefined, other: W | undefined): W | undefined {
  return one && other && other.sinceMs < one.sinceMs ? other : one;
}

/** A line of one priority, linked through those who wait in it. */
export class Lane<W extends Waiting> {
  readonly priority: number;
  first: W | undefined;
  #last: W | undefined;

  constructor(priority: number) {
    this.priority = priority;
  }

  push(waiting: W): void {
    waiting.lane = this;
    waiting.before = this.#last;
    if (this.#last) this.#last.after = waiting;
    else this.first = waiting;
    this.#last = waiting;
  }

  remove(waiting: W): void {
    const { before, after } = waiting;
    if (before) before.after = after;
    else this.first = after;
    if (after) after.before = before;
    else this.#last = before;
    waiting.lane = undefined;
    waiting.before = undefined;
    waiting.after = undefined;
  }
}
