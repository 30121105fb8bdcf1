import { below, type Rng } from "../../base/index.ts";

const alphabet = "bcdfghjklmnpqrstvwxz2456789";
const suffixLength = 5;
const maxNameLength = 63;

/**
 * Generates a name: the prefix, truncated if needed, and five random characters without vowels, so that they rarely
 * form a word.
 */
export function generateName(rng: Rng, prefix: string): string {
  const suffix = Array.from({ length: suffixLength }, () => alphabet[below(rng, alphabet.length)]);
  return prefix.slice(0, maxNameLength - suffixLength) + suffix.join("");
}
