import { below, type Rng } from "../src/base/index.ts";

export function chance(rng: Rng, probability: number): boolean {
  return rng.next() < probability;
}

export function pick<const T>(rng: Rng, [first, ...others]: readonly [T, ...T[]]): T {
  return others[below(rng, others.length + 1) - 1] ?? first;
}

/** Returns one element of a list, or `undefined` for an empty one. */
export function anyOf<T>(rng: Rng, list: readonly T[]): T | undefined {
  return list[below(rng, list.length)];
}

/** Returns an integer in [0, 2^31): a seed for another generator. */
export function drawSeed(rng: Rng): number {
  return below(rng, 2 ** 31);
}

/** Splits bytes into chunks at random places; often it returns them whole. */
export function chunksOf(rng: Rng, bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = chance(rng, 0.6) ? bytes.length : 1 + below(rng, bytes.length - at);
    chunks.push(bytes.subarray(at, at + length));
    at += length;
  }
  return chunks;
}

/** Replaces, removes, inserts or repeats a few bytes in one place. */
export function mutated(rng: Rng, bytes: Buffer, alphabet: string): Buffer {
  const at = below(rng, bytes.length + 1);
  const removed = chance(rng, 0.5) ? below(rng, 3) : 0;
  const inserted = insertion(rng, bytes, alphabet);
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + removed)]);
}

function insertion(rng: Rng, bytes: Buffer, alphabet: string): Buffer {
  const dice = rng.next();
  if (dice < 0.2) return Buffer.alloc(0);
  if (dice < 0.5) return Buffer.from(alphabet.charAt(below(rng, alphabet.length)));
  if (dice < 0.8) return Buffer.from([below(rng, 256)]);
  const from = below(rng, bytes.length + 1);
  return bytes.subarray(from, from + 1 + below(rng, 20));
}
