import { randomBytes } from "node:crypto";

/** Where the rest of the code gets its chance from, so that a seed can replay a run. */
export interface Rng {
  /** A number in [0, 1). */
  next(): number;
}

/** The platform's own randomness, good enough for jitter and names; nothing secret is made with it. */
export const realRng: Rng = { next: () => Math.random() };

/** The same numbers for the same seed, on every machine and in every release (mulberry32). The low 32 bits count. */
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

/** A number in [from, to). */
export function between(rng: Rng, from: number, to: number): number {
  return from + rng.next() * (to - from);
}

/** A whole number in [0, limit). */
export function below(rng: Rng, limit: number): number {
  return Math.floor(rng.next() * limit);
}

/** A version 4 UUID. */
export function uuid(rng: Rng): string {
  const hex = Array.from({ length: 32 }, () => below(rng, 16).toString(16));
  hex[12] = "4";
  hex[16] = (8 + below(rng, 4)).toString(16);
  const text = hex.join("");
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
    "-",
  );
}

/** `bytes` bytes fit for secrets, in base64url: tokens, not names. */
export function secretToken(bytes = 32): string {
  return randomBytes(bytes).toString("base64url");
}
