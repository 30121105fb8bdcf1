import { Fifo } from "./fifo.ts";

export interface FeedOptions {
  /** Called once when the reader has finished. The producer may release its source. */
  readonly onClose?: (() => void) | undefined;
  /** Called when a read has taken the last buffered value. The producer may resume. */
  readonly onDrained?: (() => void) | undefined;
}

/**
 * An unbounded buffer between a producer that calls `push` and one reader that iterates.
 *
 * - Values are read in the order in which they were pushed. A second reader would take values of the first.
 * - After `end`, the reader reads the buffered values and then finishes; after `fail`, it reads them and then throws.
 *   The first of the two calls counts, and later pushes are dropped.
 * - Leaving the loop, or `close`, drops the buffered values and calls `onClose`. Reading to the end calls it too.
 */
export class Feed<T> implements AsyncIterableIterator<T> {
  readonly #values = new Fifo<T>();
  #state: FeedState<T> = { phase: "open" };
  readonly #options: FeedOptions;

  constructor(options: FeedOptions = {}) {
    this.#options = options;
  }

  /** Number of buffered values. The producer may pause on it. */
  get waiting(): number {
    return this.#values.size;
  }

  push(value: T): void {
    if (this.#state.phase === "awaited") {
      const { resolve } = this.#state;
      this.#state = { phase: "open" };
      resolve({ done: false, value });
    } else if (this.#state.phase === "open") {
      this.#values.push(value);
    }
  }

  end(): void {
    this.#finish({ phase: "ended" });
  }

  fail(error: Error): void {
    this.#finish({ phase: "failed", error });
  }

  /** Closes the feed from the reading side. */
  close(): void {
    const before = this.#state;
    if (before.phase === "closed") return;
    this.#state = { phase: "closed" };
    this.#values.clear();
    if (before.phase === "awaited") before.resolve(done);
    this.#options.onClose?.();
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.waiting > 0) return Promise.resolve({ done: false, value: this.#shift() });
    const state = this.#state;
    if (state.phase === "open") return this.#await();
    if (state.phase === "awaited") return Promise.reject(new Error("feed already has a reader"));
    this.close();
    return state.phase === "failed" ? Promise.reject(state.error) : Promise.resolve(done);
  }

  return(): Promise<IteratorResult<T, undefined>> {
    this.close();
    return Promise.resolve(done);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  #await(): Promise<IteratorResult<T, undefined>> {
    return new Promise((resolve, reject) => {
      this.#state = { phase: "awaited", resolve, reject };
    });
  }

  #finish(last: FeedEnd): void {
    const before = this.#state;
    if (before.phase === "open") this.#state = last;
    if (before.phase !== "awaited") return;
    if (last.phase === "failed") before.reject(last.error); // the promise has settled, so `close` cannot resolve it
    this.close();
  }

  #shift(): T {
    const value = this.#values.shift() as T; // the caller has checked `waiting`
    if (this.waiting === 0) this.#options.onDrained?.();
    return value;
  }
}

type FeedEnd = { readonly phase: "ended" } | { readonly phase: "failed"; readonly error: Error };

type FeedState<T> =
  | { readonly phase: "open" }
  | {
      readonly phase: "awaited";
      readonly resolve: (result: IteratorResult<T, undefined>) => void;
      readonly reject: (error: Error) => void;
    }
  | FeedEnd
  | { readonly phase: "closed" };

const done: IteratorReturnResult<undefined> = { done: true, value: undefined };
