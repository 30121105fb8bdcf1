import type { Clock, Timer } from "../base/index.ts";

export interface DebounceOptions {
  readonly quietMs: number;
  readonly maxMs: number;
  readonly clock: Clock;
}

/** Holds what is said of a key until that has been quiet for a while, or for long enough. */
export class Debounce<R> {
  readonly #options: DebounceOptions;
  readonly #release: (key: string, held: readonly R[]) => void;
  readonly #held = new Map<string, Held<R>>();

  constructor(options: DebounceOptions, release: (key: string, held: readonly R[]) => void) {
    this.#options = options;
    this.#release = release;
  }

  add(key: string, said: R): void {
    const { clock, quietMs, maxMs } = this.#options;
    const nowMs = clock.monotonic();
    const held = this.#held.get(key);
    held?.timer.cancel();
    const untilMs = held?.untilMs ?? nowMs + maxMs;
    const timer = clock.timer(Math.min(quietMs, untilMs - nowMs), () => this.#over(key));
    this.#held.set(key, { untilMs, timer, said: [...(held?.said ?? []), said] });
  }

  /** Forgets what it holds. */
  clear(): void {
    for (const { timer } of this.#held.values()) timer.cancel();
    this.#held.clear();
  }

  get size(): number {
    return this.#held.size;
  }

  #over(key: string): void {
    const held = this.#held.get(key);
    this.#held.delete(key);
    if (held) this.#release(key, held.said);
  }
}

interface Held<R> {
  readonly untilMs: number;
  readonly timer: Timer;
  readonly said: readonly R[];
}
