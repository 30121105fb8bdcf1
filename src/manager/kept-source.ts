/**
 * An iterable that is read by one after another: who leaves it does not end it, and what was asked for then goes to the
 * next. One may read at a time.
 */
export class KeptSource<T> implements AsyncIterable<T> {
  readonly #source: AsyncIterable<T>;
  #iterator: AsyncIterator<T> | undefined;
  /** Asked for, and not yet given to anybody who still read. */
  #pending: Promise<IteratorResult<T>> | undefined;

  constructor(source: AsyncIterable<T>) {
    this.#source = source;
  }

  [Symbol.asyncIterator](): AsyncIterator<T> {
    let left = false;
    return {
      next: () => this.#next(() => left),
      return: async () => {
        left = true;
        return { done: true, value: undefined };
      },
    };
  }

  /** Ends the source itself. */
  end(): void {
    const ending = this.#iterator?.return?.();
    ending?.catch(() => {}); // nobody reads it any more
  }

  async #next(left: () => boolean): Promise<IteratorResult<T>> {
    this.#iterator ??= this.#source[Symbol.asyncIterator]();
    this.#pending ??= this.#iterator.next();
    const result = await this.#pending;
    if (!left()) this.#pending = undefined;
    return result;
  }
}
