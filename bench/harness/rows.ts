import type { Bench, Figure, Reading } from "./bench.ts";

/** One figure of one peer, over all rounds. */
export interface Row {
  readonly bench: string;
  readonly peer: string;
  /** "CASE: FIGURE" */
  readonly figure: string;
  /** The median of all rounds. */
  readonly value: number;
  /** The lowest and the highest value of a round. */
  readonly min: number;
  readonly max: number;
  readonly unit: string;
  readonly better: Figure["better"];
  /** Our value divided by this one. Absent without a value of ours. */
  readonly ratio?: number | undefined;
}

/** The figures of one run. */
export interface Sample {
  readonly peer: string;
  readonly case: string;
  readonly reading: Reading;
}

/** Returns medians and ratios, in the bench's order of cases, figures and peers. */
export function toRows(bench: Bench, samples: readonly Sample[]): Row[] {
  return bench.cases.flatMap((each) =>
    each.figures.flatMap(({ name, unit, better }) => {
      const values = valuesByPeer(samples, each.name, name);
      const our = values.get(bench.peers.find((peer) => peer.ours)?.name ?? "");
      return bench.peers.flatMap(({ name: peer }) => {
        const own = values.get(peer);
        if (own === undefined) return [];
        const value = median(own);
        const range = { min: Math.min(...own), max: Math.max(...own) };
        const row = {
          bench: bench.name,
          peer,
          figure: `${each.name}: ${name}`,
          value,
          ...range,
          unit,
          better,
        };
        return our === undefined ? [row] : [{ ...row, ratio: median(our) / value }];
      });
    }),
  );
}

/** Returns the middle value, or the mean of the two in the middle. NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

/** Returns the values of one figure in all rounds, by peer. */
function valuesByPeer(samples: readonly Sample[], inCase: string, figure: string): Map<string, number[]> {
  const all = new Map<string, number[]>();
  for (const { peer, case: name, reading } of samples) {
    const value = reading[figure];
    if (name === inCase && value !== undefined) all.set(peer, [...(all.get(peer) ?? []), value]);
  }
  return all;
}
