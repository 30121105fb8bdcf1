import { Backoff, between, type Clock, type Rng, sleep } from "../../base/index.ts";
import { ApiError } from "../api-error.ts";

/**
 * The delays between the connections of one watch: 0.8 s to 30 s, doubled after each connection and extended by up to
 * 100 % at random, so that the clients of a restarted server do not return together.
 *
 * A connection that was alive for a minute resets them, not one that was only accepted: the delays keep growing for a
 * server that drops each watch a moment later.
 */
export class WatchBackoff {
  readonly #clock: Clock;
  readonly #backoff: Backoff;

  constructor({ clock, rng }: WatchBackoffOptions) {
    this.#clock = clock;
    this.#backoff = new Backoff({ initialMs: 800, maxMs: 30_000, jitter: 1, clock, rng });
  }

  /** Records that a connection has ended. @param aliveMs from the head of its response to the last bytes */
  ended(aliveMs: number): void {
    if (aliveMs >= healthyMs) this.#backoff.reset();
  }

  /**
   * Waits before the next connection, at least for the delay that the server requests in `error`. Rejects with the
   * reason of the signal.
   */
  wait(error: Error | undefined, signal: AbortSignal | undefined): Promise<void> {
    const retryAfterMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
    return sleep(Math.max(this.#backoff.next(), retryAfterMs), { clock: this.#clock, signal });
  }
}

export interface WatchBackoffOptions {
  readonly clock: Clock;
  readonly rng: Rng;
}

const healthyMs = 60_000;

/**
 * Returns the query of a watch from a resource version. The server ends the watch after 5 to 10 minutes, at random, so
 * that watches that started together do not end together.
 */
export function watchQuery(
  resourceVersion: string,
  rng: Rng,
): Readonly<Record<string, string | number | boolean>> {
  const timeoutSeconds = Math.floor(between(rng, 300, 600));
  return { resourceVersion, allowWatchBookmarks: true, timeoutSeconds };
}
