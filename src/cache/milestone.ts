/**
 * Something that is waited for: reached for good, or out of reach for now. Who looks later finds what holds then.
 * Nobody has to: a failure that is not looked at is no unhandled rejection.
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

  /** Does nothing once it is reached. */
  fail(error: Error): void {
    if (this.#reached) return;
    if (this.#settle) this.#settle.reject(error);
    else this.#promise = Promise.reject(error);
    this.#promise.catch(ignored);
    this.#settle = undefined;
  }
}

const ignored = (): void => {};
