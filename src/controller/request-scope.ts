import type { AbortPool } from "../base/index.ts";

/**
 * The requests of one reconcile. They abort together while the reconcile runs. Requests that are in flight when it
 * ends, or are sent later, are not aborted.
 */
export class RequestScope {
  readonly #pool: AbortPool;
  /** Aborts the requests. Taken from the pool for the first request. */
  #controller: AbortController | undefined;
  #inFlight = 0;
  #closed = false;
  #sent = 0;

  constructor(pool: AbortPool) {
    this.#pool = pool;
  }

  /** Number of requests sent so far. */
  get sent(): number {
    return this.#sent;
  }

  /** Counts a request. Call `end` once it has settled. @returns the signal that aborts it */
  begin(): AbortSignal | undefined {
    this.#sent += 1;
    if (this.#closed) return undefined;
    this.#inFlight += 1;
    this.#controller ??= this.#pool.take();
    return this.#controller.signal;
  }

  end(): void {
    this.#inFlight -= 1;
  }

  abort(reason: unknown): void {
    this.#controller ??= new AbortController();
    this.#controller.abort(reason);
  }

  /**
   * Ends the scope with its reconcile. Returns the abort controller to the pool unless a request may still use its
   * signal.
   */
  close(): void {
    this.#closed = true;
    if (this.#controller && this.#inFlight === 0) this.#pool.release(this.#controller);
    this.#controller = undefined;
  }
}
