import { below, type Rng } from "../base/index.ts";

const alphabet = "bcdfghjklmnpqrstvwxz2456789";
const suffixLength = 5;
const longestName = 63;

/** A name from a prefix: cut so that it stays short, and five characters that rarely spell a word. */
export function generateName(rng: Rng, prefix: string): string {
  const suffix = Array.from({ length: suffixLength }, () => alphabet[below(rng, alphabet.length)]);
  return prefix.slice(0, longestName - suffixLength) + suffix.join("");
}
