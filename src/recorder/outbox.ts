import type { Clock, Timer } from "../base/index.ts";

export interface OutboxOptions<T> {
  /** Rejects if a retry may succeed. Resolves if the item is written or can never be. */
  readonly write: (item: T, options: { readonly signal: AbortSignal }) => Promise<void>;
  /** Called for each dropped item: the queue was full, or it failed too often. */
  readonly onDropped: (item: T, reason: unknown) => void;
  /** Returns the delay after a failed attempt, counted from 1. */
  readonly delayMs: (attempt: number) => number;
  readonly clock: Clock;
}

/**
 * Writes items in order, several at a time, each by one writer at a time. An item added while it is queued is written
 * once. An item added while it is being written is written again.
 */
export class Outbox<T> {
  readonly #options: OutboxOptions<T>;
  /** Queued items. */
  readonly #waiting = new Set<T>();
  /** Items being written. The value is true if the item has to be written again. */
  readonly #writing = new Map<T, boolean>();
  /** Wakes the writers that wait for a retry. Called on close. */
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
    else if (this.#waiting.has(item) || this.#waiting.size < maxQueued) this.#waiting.add(item);
    else return this.#options.onDropped(item, new Error(`event queue is full (${maxQueued} waiting)`));
    this.#next();
  }

  /** Tries all remaining items once, and aborts after `withinMs`. */
  close(withinMs: number): Promise<void> {
    this.#closed ??= this.#drain(withinMs);
    return this.#closed;
  }

  async #drain(withinMs: number): Promise<void> {
    for (const wake of this.#sleepers) wake();
    if (this.#writing.size + this.#waiting.size === 0) return;
    const reason = new Error(`expected all events to be written within ${withinMs} ms, got no response`);
    using _ = this.#options.clock.timer(withinMs, () => this.#abort.abort(reason));
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
  }

  #next(): void {
    while (this.#writing.size < maxWriters) {
      const [item] = this.#waiting;
      if (item === undefined) break;
      this.#waiting.delete(item);
      this.#writing.set(item, false);
      void this.#work(item);
    }
    if (this.#writing.size === 0) this.#onEmpty?.();
  }

  /** Writes an item until it succeeds or is dropped. Never rejects. */
  async #work(item: T): Promise<void> {
    await this.#deliver(item);
    const repeated = this.#writing.get(item) ?? false;
    this.#writing.delete(item);
    if (repeated) this.#waiting.add(item);
    this.#next();
  }

  async #deliver(item: T): Promise<void> {
    const { write, onDropped, delayMs } = this.#options;
    const { signal } = this.#abort;
    for (let attempt = 1; ; attempt += 1) {
      try {
        signal.throwIfAborted();
        return await write(item, { signal });
      } catch (error) {
        if (attempt >= maxAttempts || this.#closed) return onDropped(item, error);
      }
      await this.#wait(delayMs(attempt));
    }
  }

  /** Waits, and returns early on close. The timer does not keep the process alive. */
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

const maxQueued = 1000;
const maxWriters = 8;
const maxAttempts = 12;
