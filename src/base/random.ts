import { randomBytes } from "node:crypto";

/** The source of randomness for all other code, so that a seed can replay a run. */
export interface Rng {
  /** Returns a number in [0, 1). */
  next(): number;
}

/** `Math.random`, for jitter and names. Not for secrets. */
export const realRng: Rng = { next: () => Math.random() };

/**
 * Returns the same numbers for the same seed on every machine and in every release (mulberry32). Uses the low 32 bits.
 */
export function seededRng(seed: number): Rng {
  let state = seed >>> 0;
  return {
    next() {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
    },
  };
}

/** Returns a number in [from, to). */
export function between(rng: Rng, from: number, to: number): number {
  return from + rng.next() * (to - from);
}

/** Returns an integer in [0, limit). */
export function below(rng: Rng, limit: number): number {
  return Math.floor(rng.next() * limit);
}

/** Returns a version 4 UUID. */
export function uuid(rng: Rng): string {
  const [first, second, third, last] = [
    eightDigits(rng),
    eightDigits(rng),
    eightDigits(rng),
    eightDigits(rng),
  ];
  const variant = variants[below(rng, 4)] ?? "8";
  return `${first}-${second.slice(0, 4)}-4${second.slice(5)}-${variant}${third.slice(1, 4)}-${third.slice(4)}${last}`;
}

/** Allowed first digits of the fourth group. */
const variants = "89ab";

function eightDigits(rng: Rng): string {
  return below(rng, 0x1_0000_0000).toString(16).padStart(8, "0");
}

/** Returns cryptographically random bytes in base64url, for tokens. */
export function secretToken(bytes = 32): string {
  return randomBytes(bytes).toString("base64url");
}
