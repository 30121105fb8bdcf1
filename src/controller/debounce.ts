import type { Clock, Timer } from "../base/index.ts";
import { type MergeReason, ReasonList, type Reasons } from "../queue/index.ts";

export interface DebounceOptions<R> {
  readonly quietMs: number;
  readonly maxMs: number;
  readonly mergeReason: MergeReason<R>;
  readonly clock: Clock;
}

/** Delays a key until no reason has been added for `quietMs`, at most for `maxMs`. */
export class Debounce<R> {
  readonly #options: DebounceOptions<R>;
  readonly #release: (key: string, held: Released<R>) => void;
  readonly #held = new Map<string, Held<R>>();

  constructor(options: DebounceOptions<R>, release: (key: string, held: Released<R>) => void) {
    this.#options = options;
    this.#release = release;
  }

  /** Adds a reason. The highest priority that was added for a key counts. */
  add(key: string, reason: R, priority: number): void {
    const { clock, quietMs, maxMs, mergeReason } = this.#options;
    const nowMs = clock.monotonic();
    const held = this.#held.get(key) ?? new Held<R>(nowMs + maxMs, priority);
    held.priority = Math.max(held.priority, priority);
    held.addReasons({ reasons: [reason] }, mergeReason);
    held.timer?.cancel();
    held.timer = clock.timer(Math.min(quietMs, held.untilMs - nowMs), () => this.#over(key));
    this.#held.set(key, held);
  }

  /** Drops all delayed keys. */
  clear(): void {
    for (const { timer } of this.#held.values()) timer?.cancel();
    this.#held.clear();
  }

  get size(): number {
    return this.#held.size;
  }

  #over(key: string): void {
    const held = this.#held.get(key);
    this.#held.delete(key);
    if (held) this.#release(key, held);
  }
}

/** The reasons and the priority of a key whose delay is over. */
interface Released<R> extends Required<Reasons<R>> {
  readonly priority: number;
}

/** The reasons of a delayed key. */
class Held<R> extends ReasonList<R> {
  readonly untilMs: number;
  priority: number;
  timer: Timer | undefined = undefined;

  constructor(untilMs: number, priority: number) {
    super();
    this.priority = priority;
    this.untilMs = untilMs;
  }
}
