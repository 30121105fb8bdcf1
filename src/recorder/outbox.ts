import type { Clock, Timer } from "../base/index.ts";

export interface OutboxOptions<T> {
  /** Rejects where it is worth another try, and resolves where it is done or will never be. */
  readonly write: (item: T, options: { readonly signal: AbortSignal }) => Promise<void>;
  /** Told of what is given up: there was no room for it, or it was tried too often. */
  readonly onDropped: (item: T, why: unknown) => void;
  /** How long to wait after the try that failed, counted from 1. */
  readonly delayMs: (tried: number) => number;
  readonly clock: Clock;
}

/**
 * Writes items in their order, some at a time, each by one writer at a time. What is added while it waits is written
 * once, what is added while it is written is written again.
 */
export class Outbox<T> {
  readonly #options: OutboxOptions<T>;
  /** What no writer has taken yet. */
  readonly #waiting = new Set<T>();
  /** What is being written, and whether it has to be again. */
  readonly #writing = new Map<T, boolean>();
  /** Those who wait for another try. Called when there is no more waiting. */
  readonly #sleepers = new Set<() => void>();
  readonly #abort = new AbortController();
  #closed: Promise<void> | undefined;
  #onEmpty: (() => void) | undefined;

  constructor(options: OutboxOptions<T>) {
    this.#options = options;
  }

  add(item: T): void {
    if (this.#closed) return;
    if (this.#writing.has(item)) this.#writing.set(item, true);
    else if (this.#waiting.has(item) || this.#waiting.size < room) this.#waiting.add(item);
    else return this.#options.onDropped(item, new Error(`expected at most ${room} to wait, got more`));
    this.#next();
  }

  /** Tries all that is left once, and calls it off after `withinMs`. */
  close(withinMs: number): Promise<void> {
    this.#closed ??= this.#drain(withinMs);
    return this.#closed;
  }

  async #drain(withinMs: number): Promise<void> {
    for (const wake of this.#sleepers) wake();
    if (this.#writing.size + this.#waiting.size === 0) return;
    const reason = new Error(`expected all to be written within ${withinMs} ms, got no answer`);
    using _ = this.#options.clock.timer(withinMs, () => this.#abort.abort(reason));
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
  }

  #next(): void {
    while (this.#writing.size < writers) {
      const [item] = this.#waiting;
      if (item === undefined) break;
      this.#waiting.delete(item);
      this.#writing.set(item, false);
      void this.#work(item);
    }
    if (this.#writing.size === 0) this.#onEmpty?.();
  }

  /** Never rejects. */
  async #work(item: T): Promise<void> {
    await this.#deliver(item);
    const again = this.#writing.get(item) ?? false;
    this.#writing.delete(item);
    if (again) this.#waiting.add(item);
    this.#next();
  }

  async #deliver(item: T): Promise<void> {
    const { write, onDropped, delayMs } = this.#options;
    const { signal } = this.#abort;
    for (let tried = 1; ; tried += 1) {
      try {
        signal.throwIfAborted();
        return await write(item, { signal });
      } catch (error) {
        if (tried >= mostTries || this.#closed) return onDropped(item, error);
      }
      await this.#wait(delayMs(tried));
    }
  }

  /** Less where it is closed meanwhile. It does not keep the process alive. */
  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      let timer: Timer | undefined;
      const wake = (): void => {
        timer?.cancel();
        this.#sleepers.delete(wake);
        resolve();
      };
      timer = this.#options.clock.timer(ms, wake, { background: true });
      this.#sleepers.add(wake);
    });
  }
}

const room = 1000;
const writers = 8;
const mostTries = 12;
