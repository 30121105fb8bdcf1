/**
 * Turns pushes into pulls: one side calls `push`, the other iterates.
 *
 * - Values leave in the order they came. One reader; a second would take the first one's values.
 * - `end` lets what was pushed leave first; `fail` does too, then throws at the reader.
 * - Leaving the loop, or `close`, drops what is left and calls `onClose` once.
 */
export class Feed<T> implements AsyncIterableIterator<T> {
  readonly #values: T[] = [];
  /** Where in `#values` the next one to leave stands; those before have left. */
  #head = 0;
  #state: FeedState<T> = { phase: "open" };
  readonly #onClose: () => void;
  readonly #onDrained: (() => void) | undefined;

  constructor(options: { readonly onClose?: () => void; readonly onDrained?: () => void } = {}) {
    this.#onClose = options.onClose ?? (() => {});
    this.#onDrained = options.onDrained;
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
    const reader = this.#state;
    this.#values.length = 0;
    this.#head = 0;
    if (reader.phase === "closed") return;
    this.#state = { phase: "closed" };
    this.#onClose();
    if (reader.phase === "awaited") reader.resolve(done);
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#head < this.#values.length) return Promise.resolve({ done: false, value: this.#shift() });
    switch (this.#state.phase) {
      case "open":
        return new Promise((resolve, reject) => {
          this.#state = { phase: "awaited", resolve, reject };
        });
      case "awaited":
        return Promise.reject(new Error("expected one reader of a feed, got a second"));
      case "failed": {
        const { error } = this.#state;
        this.close();
        return Promise.reject(error);
      }
      default:
        this.close();
        return Promise.resolve(done);
    }
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

  #finish(last: FeedState<T>): void {
    const reader = this.#state;
    if (reader.phase === "open") this.#state = last;
    if (reader.phase !== "awaited") return;
    this.#state = { phase: "closed" };
    this.#onClose();
    if (last.phase === "failed") reader.reject(last.error);
    else reader.resolve(done);
  }

  #shift(): T {
    const value = this.#values[this.#head] as T; // in range: the caller has compared with the length
    this.#head += 1;
    if (this.#head === this.#values.length) {
      this.#values.length = 0;
      this.#head = 0;
      this.#onDrained?.();
    }
    return value;
  }
}

type FeedState<T> =
  | { readonly phase: "open" }
  | {
      readonly phase: "awaited";
      readonly resolve: (result: IteratorResult<T, undefined>) => void;
      readonly reject: (error: Error) => void;
    }
  | { readonly phase: "ended" }
  | { readonly phase: "failed"; readonly error: Error }
  | { readonly phase: "closed" };

const done: IteratorReturnResult<undefined> = { done: true, value: undefined };
