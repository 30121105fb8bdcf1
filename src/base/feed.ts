export interface FeedOptions {
  /** Called once, when nothing more will be read: the pushing side may let go of its source. */
  readonly onClose?: (() => void) | undefined;
  /** Called when a read has taken the last value that waited: the pushing side may go on. */
  readonly onDrained?: (() => void) | undefined;
}

/**
 * Turns pushes into pulls: one side calls `push`, the other iterates.
 *
 * - Values leave in the order they came. One reader; a second would take the first one's values.
 * - `end` lets what was pushed leave first; `fail` does too, then throws at the reader. The first of the two
 *   counts, and what is pushed after it is dropped.
 * - Leaving the loop, or `close`, drops what is left and calls `onClose`. So does reading to the end.
 */
export class Feed<T> implements AsyncIterableIterator<T> {
  #values: (T | undefined)[] = [];
  /** Where in `#values` the next one to leave stands; those before have left, and nothing of them is held. */
  #head = 0;
  #state: FeedState<T> = { phase: "open" };
  readonly #options: FeedOptions;

  constructor(options: FeedOptions = {}) {
    this.#options = options;
  }

  /** How many values wait to be read: the pushing side may pause on it. */
  get waiting(): number {
    return this.#values.length - this.#head;
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

  /** Ends it from the reading side. */
  close(): void {
    const before = this.#state;
    if (before.phase === "closed") return;
    this.#state = { phase: "closed" };
    this.#drop();
    if (before.phase === "awaited") before.resolve(done);
    this.#options.onClose?.();
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.waiting > 0) return Promise.resolve({ done: false, value: this.#shift() });
    const state = this.#state;
    if (state.phase === "open") return this.#await();
    if (state.phase === "awaited")
      return Promise.reject(new Error("expected one reader of a feed, got a second"));
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
    if (last.phase === "failed") before.reject(last.error); // then what `close` tells the reader is not heard
    this.close();
  }

  #shift(): T {
    const value = this.#values[this.#head] as T; // in range: the caller has seen one waiting
    this.#values[this.#head] = undefined;
    this.#head += 1;
    if (this.waiting === 0) {
      this.#drop();
      this.#options.onDrained?.();
    } else if (this.#head >= mostLeft && this.#head >= this.waiting) {
      this.#values = this.#values.slice(this.#head);
      this.#head = 0;
    }
    return value;
  }

  #drop(): void {
    this.#values = [];
    this.#head = 0;
  }
}

/** So many places of those that have left are kept before room is made: copying what waits costs no more than they did. */
const mostLeft = 1024;

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
