/**
 * A state that callers wait for. It can fail several times before it is reached; once reached, it stays so. `promise` returns the
 * current result at the time of the call. A failure that no caller awaits is not an unhandled rejection.
 */
export class Milestone {
  #promise: Promise<void>;
  #settle: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;
  #reached = false;

  constructor() {
    this.#promise = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.#promise.catch(ignored);
  }

  get promise(): Promise<void> {
    return this.#promise;
  }

  get reached(): boolean {
    return this.#reached;
  }

  reach(): void {
    if (this.#reached) return;
    this.#reached = true;
    if (this.#settle) this.#settle.resolve();
    else this.#promise = Promise.resolve();
    this.#settle = undefined;
  }

  /** Rejects the current promise. Does nothing once the milestone is reached. */
  fail(error: Error): void {
    if (this.#reached) return;
    if (this.#settle) this.#settle.reject(error);
    else this.#promise = Promise.reject(error);
    this.#promise.catch(ignored);
    this.#settle = undefined;
  }
}

const ignored = (): void => {};
