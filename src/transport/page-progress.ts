import { type Clock, realClock, sleep } from "../base/index.ts";
import { ApiError } from "./api-error.ts";
import type { ApiRequest } from "./transport.ts";

/** A page of a list that is followed by another page. */
export interface PageEnd {
  /** The `continue` token of the next page. */
  readonly token: string;
  /** Number of objects in the page. */
  readonly count: number;
  readonly request: Pick<ApiRequest, "method" | "path">;
}

/**
 * Checks the `continue` tokens of one list, so that a faulty server cannot cause endless requests: a repeated token is
 * an error, and after an empty page, which servers may send, the next request is delayed.
 */
export class PageProgress {
  readonly #clock: Clock;
  readonly #signal: AbortSignal | undefined;
  readonly #tokens = new Set<string>();

  constructor({ clock = realClock, signal }: PageProgressOptions) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Checks the token and waits if necessary. Await it before requesting the next page. */
  async next({ token, count, request }: PageEnd): Promise<void> {
    if (this.#tokens.has(token)) {
      const { method, path } = request;
      const message = `expected a new continue token from ${method} ${path}, got a repeated one`;
      throw new ApiError(message, { code: 200, reason: "InvalidResponse", request });
    }
    this.#tokens.add(token);
    if (count === 0) await sleep(pauseMs, { clock: this.#clock, signal: this.#signal });
  }
}

export interface PageProgressOptions {
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Limits requests after empty pages to four per second. */
const pauseMs = 250;
