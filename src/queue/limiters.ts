import { type Rng, realRng, TokenBucket, type TokenBucketOptions } from "../base/index.ts";

/** Computes the delay before a key is retried. */
export interface Limiter<K = string> {
  /** Counts a retry and returns its delay in milliseconds. */
  delayMs(key: K): number;
  /** Resets the key after a success: its next delay is the first one again. */
  forget(key: K): void;
  /** Returns the number of retries since the last `forget`. */
  retries(key: K): number;
}

export interface PerKeyBackoffOptions {
  /** The first delay. Every further delay is twice the previous one. @default 5 */
  readonly baseMs?: number | undefined;
  /** Longest delay before jitter. @default 1_000_000 (16 minutes 40 seconds) */
  readonly maxMs?: number | undefined;
  /** Extends each delay by a random fraction of it, at most this one. @default 0 */
  readonly jitter?: number | undefined;
  readonly rng?: Rng | undefined;
}

/** Returns a limiter whose delay doubles with each retry of a key, independently of other keys. */
export function perKeyBackoff<K = string>(options: PerKeyBackoffOptions = {}): Limiter<K> {
  const { baseMs = 5, maxMs = 1_000_000, jitter = 0, rng = realRng } = options;
  if (!(baseMs >= 0) || !(maxMs >= baseMs))
    throw new RangeError(`expected 0 <= baseMs <= maxMs, got baseMs ${baseMs} and maxMs ${maxMs}`);
  return counting((retries) => {
    const delayMs = Math.min(baseMs * 2 ** retries, maxMs);
    return jitter === 0 ? delayMs : delayMs * (1 + rng.next() * jitter);
  });
}

export interface PerKeyFastSlowOptions {
  /** Number of retries that are delayed by `fastMs`. */
  readonly fastTries: number;
  readonly fastMs: number;
  /** Delay of all further retries. */
  readonly slowMs: number;
}

/** Returns a limiter with a few fast retries per key, then slow ones. */
export function perKeyFastSlow<K = string>({ fastTries, fastMs, slowMs }: PerKeyFastSlowOptions): Limiter<K> {
  return counting((retries) => (retries < fastTries ? fastMs : slowMs));
}

/**
 * Returns a limiter for all keys together: `burst` retries without delay, then `perSecond`. It counts no retries per
 * key.
 */
export function tokenBucket<K = string>(options: TokenBucketOptions): Limiter<K> {
  const bucket = new TokenBucket(options);
  return { delayMs: () => bucket.reserve(), forget() {}, retries: () => 0 };
}

/**
 * Returns a limiter with the longest delay and the highest count of several limiters. Each of them counts every retry.
 */
export function maxOf<K = string>(...limiters: readonly Limiter<K>[]): Limiter<K> {
  return {
    delayMs: (key) => limiters.reduce((max, limiter) => Math.max(max, limiter.delayMs(key)), 0),
    forget(key) {
      for (const limiter of limiters) limiter.forget(key);
    },
    retries: (key) => limiters.reduce((max, limiter) => Math.max(max, limiter.retries(key)), 0),
  };
}

/** Returns a limiter that caps the delays of another one at `maxMs`. */
export function atMost<K = string>(maxMs: number, limiter: Limiter<K>): Limiter<K> {
  return {
    delayMs: (key) => Math.min(maxMs, limiter.delayMs(key)),
    forget: (key) => limiter.forget(key),
    retries: (key) => limiter.retries(key),
  };
}

/** Returns a limiter that computes the delay from the number of retries of the key so far. */
function counting<K>(delayAfter: (retries: number) => number): Limiter<K> {
  const counts = new Map<K, number>();
  return {
    delayMs(key) {
      const retries = counts.get(key) ?? 0;
      counts.set(key, retries + 1);
      return delayAfter(retries);
    },
    forget: (key) => counts.delete(key),
    retries: (key) => counts.get(key) ?? 0,
  };
}
