import type { Clock } from "../base/index.ts";

export interface RememberedOptions<T> {
  /** How long an answer counts, in milliseconds. */
  readonly keepMs: (answer: T) => number;
  /** With more than so many, the oldest is forgotten. */
  readonly most: number;
  readonly clock: Clock;
}

/** Answers that count for a while. Who asks while a question is under way waits for its answer; a failure is not kept. */
export class Remembered<T> {
  readonly #options: RememberedOptions<T>;
  /** In the order they were asked for. */
  readonly #kept = new Map<string, Kept<T>>();

  constructor(options: RememberedOptions<T>) {
    this.#options = options;
  }

  get(key: string, ask: () => Promise<T>): Promise<T> {
    const kept = this.#kept.get(key);
    return kept && kept.untilMs > this.#options.clock.monotonic() ? kept.answer : this.#ask(key, ask);
  }

  async #ask(key: string, ask: () => Promise<T>): Promise<T> {
    const kept: Kept<T> = { answer: ask(), untilMs: Number.POSITIVE_INFINITY };
    this.#kept.delete(key); // the new one is the youngest
    this.#kept.set(key, kept);
    this.#forgetOldest();
    try {
      const answer = await kept.answer;
      kept.untilMs = this.#options.clock.monotonic() + this.#options.keepMs(answer);
      return answer;
    } catch (error) {
      if (this.#kept.get(key) === kept) this.#kept.delete(key);
      throw error;
    }
  }

  #forgetOldest(): void {
    for (const key of this.#kept.keys()) {
      if (this.#kept.size <= this.#options.most) return;
      this.#kept.delete(key);
    }
  }
}

interface Kept<T> {
  readonly answer: Promise<T>;
  untilMs: number;
}
