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
  readonly #release: (key: string, held: Required<Reasons<R>>) => void;
  readonly #held = new Map<string, Held<R>>();

  constructor(options: DebounceOptions<R>, release: (key: string, held: Required<Reasons<R>>) => void) {
    this.#options = options;
    this.#release = release;
  }

  add(key: string, reason: R): void {
    const { clock, quietMs, maxMs, mergeReason } = this.#options;
    const nowMs = clock.monotonic();
    const held = this.#held.get(key) ?? new Held<R>(nowMs + maxMs);
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

/** The reasons of a delayed key. */
class Held<R> extends ReasonList<R> {
  readonly untilMs: number;
  timer: Timer | undefined = undefined;

  constructor(untilMs: number) {
    super();
    this.untilMs = untilMs;
  }
}
