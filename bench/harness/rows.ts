import type { Bench, Reading } from "./bench.ts";

/** One figure of one peer, over all rounds. */
export interface Row {
  readonly bench: string;
  readonly peer: string;
  /** "CASE: FIGURE" */
  readonly figure: string;
  readonly value: number;
  readonly unit: string;
  /** Our value divided by this one; absent where ours is. */
  readonly ratio?: number | undefined;
}

/** What one errand brought back. */
export interface Sample {
  readonly peer: string;
  readonly case: string;
  readonly reading: Reading;
}

/** Medians and ratios, in the order in which the bench names cases, figures and peers. */
export function toRows(bench: Bench, samples: readonly Sample[]): Row[] {
  const ours = bench.peers.find((peer) => peer.ours)?.name;
  return bench.cases.flatMap((each) =>
    each.figures.flatMap((figure) => {
      const valueOf = (peer: string) =>
        median(valuesOf(samples, { peer, case: each.name, figure: figure.name }));
      const our = ours === undefined ? undefined : valueOf(ours);
      return bench.peers.flatMap(({ name: peer }) => {
        const value = valueOf(peer);
        if (value === undefined) return [];
        const name = `${each.name}: ${figure.name}`;
        const row = { bench: bench.name, peer, figure: name, value, unit: figure.unit };
        return our === undefined ? [row] : [{ ...row, ratio: our / value }];
      });
    }),
  );
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle];
  const low = sorted.length % 2 === 1 ? high : sorted[middle - 1];
  return high === undefined || low === undefined ? undefined : (low + high) / 2;
}

function valuesOf(
  samples: readonly Sample[],
  wanted: { readonly peer: string; readonly case: string; readonly figure: string },
): number[] {
  return samples
    .filter((sample) => sample.peer === wanted.peer && sample.case === wanted.case)
    .flatMap((sample) => sample.reading[wanted.figure] ?? []);
}
