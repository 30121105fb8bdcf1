import { type Rng, realRng, TokenBucket, type TokenBucketOptions } from "../base/index.ts";

/** Says how long a key has to wait before it is tried again. */
export interface Limiter<K = string> {
  /** The delay of the try that is asked for now, in milliseconds. Counts it. */
  delayMs(key: K): number;
  /** The key did well: its next delay is the first again. */
  forget(key: K): void;
  /** Delays asked for since the start, or since the key was forgotten. */
  retries(key: K): number;
}

export interface PerKeyBackoffOptions {
  /** The first delay; each later one is twice the one before. @default 5 */
  readonly baseMs?: number | undefined;
  /** No delay is longer, jitter aside. @default 1,000,000: 16 minutes and 40 seconds */
  readonly maxMs?: number | undefined;
  /** Each delay is lengthened by up to this share of itself. @default 0 */
  readonly jitter?: number | undefined;
  readonly rng?: Rng | undefined;
}

/** Delays that double with each try of a key, whatever other keys do. */
export function perKeyBackoff<K = string>(options: PerKeyBackoffOptions = {}): Limiter<K> {
  const { baseMs = 5, maxMs = 1_000_000, jitter = 0, rng = realRng } = options;
  if (!(baseMs >= 0) || !(maxMs >= baseMs))
    throw new RangeError(`expected 0 <= baseMs <= maxMs, got baseMs ${baseMs} and maxMs ${maxMs}`);
  return counting((tried) => {
    const delayMs = Math.min(baseMs * 2 ** tried, maxMs);
    return jitter === 0 ? delayMs : delayMs * (1 + rng.next() * jitter);
  });
}

export interface PerKeyFastSlowOptions {
  /** Tries that wait `fastMs`. */
  readonly fastTries: number;
  readonly fastMs: number;
  /** The wait of all that follow. */
  readonly slowMs: number;
}

/** A few quick tries of a key, then slow ones. */
export function perKeyFastSlow<K = string>({ fastTries, fastMs, slowMs }: PerKeyFastSlowOptions): Limiter<K> {
  return counting((tried) => (tried < fastTries ? fastMs : slowMs));
}

/** Lets `burst` tries go at once and `perSecond` from then on, of all keys together. It counts no key's tries. */
export function tokenBucket<K = string>(options: TokenBucketOptions): Limiter<K> {
  const bucket = new TokenBucket(options);
  return { delayMs: () => bucket.reserve(), forget() {}, retries: () => 0 };
}

/** The longest delay and the highest count of several. Each of them counts every try. */
export function maxOf<K = string>(...limiters: readonly Limiter<K>[]): Limiter<K> {
  return {
    delayMs: (key) => limiters.reduce((most, limiter) => Math.max(most, limiter.delayMs(key)), 0),
    forget(key) {
      for (const limiter of limiters) limiter.forget(key);
    },
    retries: (key) => limiters.reduce((most, limiter) => Math.max(most, limiter.retries(key)), 0),
  };
}

/** The limiter's delays, but never longer than `maxMs`. */
export function atMost<K = string>(maxMs: number, limiter: Limiter<K>): Limiter<K> {
  return {
    delayMs: (key) => Math.min(maxMs, limiter.delayMs(key)),
    forget: (key) => limiter.forget(key),
    retries: (key) => limiter.retries(key),
  };
}

/** A limiter that knows of a key how often it was tried. */
function counting<K>(delayAfter: (tried: number) => number): Limiter<K> {
  const tries = new Map<K, number>();
  return {
    delayMs(key) {
      const tried = tries.get(key) ?? 0;
      tries.set(key, tried + 1);
      return delayAfter(tried);
    },
    forget: (key) => tries.delete(key),
    retries: (key) => tries.get(key) ?? 0,
  };
}
