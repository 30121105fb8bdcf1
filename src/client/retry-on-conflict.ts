import { Backoff, type Clock, type Rng, realClock, sleep } from "../base/index.ts";
import { isConflict } from "../transport/index.ts";

export interface RetryOnConflictOptions {
  /** Maximum number of attempts. @default 5 */
  readonly tries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
}

/**
 * Calls `attempt` until it does not fail with 409 Conflict, with a delay of about 10 ms. Throws the last conflict. The
 * attempt has to read the object again, or it fails with the same conflict.
 */
export async function retryOnConflict<T>(
  attempt: () => Promise<T>,
  options: RetryOnConflictOptions = {},
): Promise<T> {
  const { tries = 5, signal, clock = realClock, rng } = options;
  const backoff = new Backoff({ initialMs: 10, maxMs: 10, jitter: 0.1, clock, rng });
  for (let left = tries - 1; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left <= 0 || !isConflict(error)) throw error;
    }
    await sleep(backoff.next(), { clock, signal });
  }
}
