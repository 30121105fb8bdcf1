import { type Deferred, deferred } from "./deferred.ts";

/**
 * A state that callers wait for. It can fail several times before it is reached; once reached, it stays so. `promise`
 * returns the current result at the time of the call. A failure that no caller awaits is not an unhandled rejection.
 */
export class Milestone {
  /** The first promise, until it is settled. */
  #first: Deferred<void> | undefined;
  #promise: Promise<void>;
  #reached = false;

  constructor() {
    this.#first = deferred();
    this.#promise = this.#first.promise;
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
    if (this.#first) this.#first.resolve();
    else this.#promise = Promise.resolve();
    this.#first = undefined;
  }

  /** Rejects the current promise. Does nothing once the milestone is reached. */
  fail(error: Error): void {
    if (this.#reached) return;
    if (this.#first) this.#first.reject(error);
    else this.#promise = Promise.reject(error);
    this.#promise.catch(ignored);
    this.#first = undefined;
  }
}

const ignored = (): void => {};
