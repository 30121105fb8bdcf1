/** Returns numbers in [0, 1), the same for the same seed. */
export interface Chance {
  next(): number;
}

export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0 || 1;
  return {
    next() {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return (state >>> 0) / 2 ** 32;
    },
  };
}

/** Returns an integer below `limit`. */
export function below(chance: Chance, limit: number): number {
  return Math.floor(chance.next() * limit);
}
