import type { Clock } from "../../base/index.ts";

export interface ReviewCacheOptions {
  /** How long an accepting result is used, in milliseconds. */
  readonly acceptedMs: number;
  /** How long a refusing result is used, in milliseconds. */
  readonly refusedMs: number;
  /** How many accepting results are kept, and how many refusing ones. The oldest are dropped first. */
  readonly maxEntries: number;
  readonly clock: Clock;
}

/**
 * Sends a review for a key without a cached result. Resolves with `undefined` for a refusal.
 *
 * @param known True if the last review of this key accepted it.
 */
export type Review<T> = (known: boolean) => Promise<T | undefined>;

/**
 * Caches the results of reviews by key. Requests for one key share one review. A failed review is not cached.
 *
 * Accepting and refusing results are bounded separately: a flood of unknown keys does not evict the accepted ones.
 */
export class ReviewCache<T> {
  readonly #options: ReviewCacheOptions;
  /** Accepted keys, the oldest result first. An expired entry stays: it marks the key as known. */
  readonly #accepted = new Map<string, Cached<T>>();
  /** Refused keys, the oldest result first. No key is in both maps. */
  readonly #refused = new Map<string, Cached<undefined>>();
  readonly #inFlight = new Map<string, Promise<T | undefined>>();

  constructor(options: ReviewCacheOptions) {
    this.#options = options;
  }

  /** Returns the cached result, or else the result of the review in flight, or else that of a new review. */
  async get(key: string, review: Review<T>): Promise<T | undefined> {
    const cached = this.#accepted.get(key) ?? this.#refused.get(key);
    if (cached && cached.untilMs > this.#options.clock.monotonic()) return cached.result;
    return this.#inFlight.get(key) ?? this.#review(key, review);
  }

  #review(key: string, review: Review<T>): Promise<T | undefined> {
    const inFlight = review(this.#accepted.has(key))
      .then((result) => {
        this.#keep(key, result);
        return result;
      })
      .finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, inFlight);
    return inFlight;
  }

  #keep(key: string, result: T | undefined): void {
    const { acceptedMs, refusedMs, clock } = this.#options;
    this.#accepted.delete(key);
    this.#refused.delete(key);
    const nowMs = clock.monotonic();
    if (result === undefined) this.#add(this.#refused, key, { result, untilMs: nowMs + refusedMs });
    else this.#add(this.#accepted, key, { result, untilMs: nowMs + acceptedMs });
  }

  #add<R>(results: Map<string, Cached<R>>, key: string, cached: Cached<R>): void {
    results.set(key, cached);
    for (const oldest of results.keys()) {
      if (results.size <= this.#options.maxEntries) return;
      results.delete(oldest);
    }
  }
}

interface Cached<R> {
  readonly result: R;
  readonly untilMs: number;
}
