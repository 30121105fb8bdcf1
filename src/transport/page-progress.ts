import { type Clock, realClock, sleep } from "../base/index.ts";
import { ApiError } from "./api-error.ts";
import type { ApiRequest } from "./transport.ts";

/** A page of a list that has a next page. */
export interface PageEnd {
  /** Of the next page. */
  readonly token: string;
  /** How many objects the page had. */
  readonly count: number;
  readonly request: Pick<ApiRequest, "method" | "path">;
}

/**
 * Follows the `continue` tokens of one list, so that no server keeps a client asking: a token that comes twice is an error, and
 * after an empty page, which servers may send, the next one waits.
 */
export class PageProgress {
  readonly #clock: Clock;
  readonly #signal: AbortSignal | undefined;
  readonly #tokens = new Set<string>();

  constructor({ clock = realClock, signal }: PageProgressOptions) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** To be awaited before the next page is requested. */
  async next({ token, count, request }: PageEnd): Promise<void> {
    if (this.#tokens.has(token)) {
      const { method, path } = request;
      const message = `expected a new continue token from ${method} ${path}, got one that came before`;
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

/** Empty pages are requested four times a second at most. */
const pauseMs = 250;
