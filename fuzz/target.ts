import type { Rng } from "../src/base/index.ts";

/** One part of the package under random input. */
export interface FuzzTarget {
  /** The argument of `--only`. */
  readonly name: string;
  /** One line about the target, for `--help`. */
  readonly summary: string;
  /** True if a round waits in real time. Such targets do not run in `npm test`. @default false */
  readonly slow?: boolean | undefined;
  /**
   * Runs one round. Everything random comes from `rng`, so the same seed repeats the round. Stops after the current
   * case once the budget is spent. Throws if the package misbehaves.
   *
   * @returns counts of the tried cases, by name: `{ events: 812, "objects compared": 3_020 }`
   */
  run(rng: Rng, budget: Budget): Promise<Counts>;
}

/** The time that a round may take. */
export interface Budget {
  readonly spent: boolean;
}

export type Counts = Readonly<Record<string, number>>;

/** Counts by name. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(name: string, count = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  addAll(counts: Counts): void {
    for (const [name, count] of Object.entries(counts)) this.add(name, count);
  }

  get counts(): Counts {
    return Object.fromEntries(this.#counts);
  }
}
