import { ReviewError } from "./review-error.ts";

/** Limits the memory of all request bodies that are read or reviewed at the same time. */
export class BodyBudget {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Begins a reservation for one request. Dispose it when the request has been reviewed. */
  reserve(): ReservedBytes {
    let reserved = 0;
    return {
      add: (bytes) => {
        if (this.#bytes + bytes > this.#maxBytes) throw this.#exhausted();
        this.#bytes += bytes;
        reserved += bytes;
      },
      [Symbol.dispose]: () => {
        this.#bytes -= reserved;
        reserved = 0;
      },
    };
  }

  #exhausted(): ReviewError {
    const limit = `at most ${this.#maxBytes} bytes of requests at the same time`;
    return new ReviewError(503, `expected ${limit}, got more; the API server tries again`);
  }
}

/** The bytes of one request in a budget. */
export interface ReservedBytes extends Disposable {
  /** @throws {ReviewError} 503 if the budget is exhausted */
  add(bytes: number): void;
}
