import { heapCeilingMb } from "./replicas.ts";
import type { Sample } from "./sample.ts";

/** The verdict on one resource: flat or growing. */
export interface Verdict {
  readonly name: string;
  readonly early: number;
  readonly late: number;
  readonly flat: boolean;
}

/** Compares resources early and late: medians of the first and the last third, without the warm-up. */
export function verdicts(samples: readonly Sample[]): Verdict[] {
  const warm = samples.slice(Math.min(warmUp, samples.length - 1));
  const third = Math.max(1, Math.floor(warm.length / 3));
  return held.map(({ name, read, slack }) => {
    const early = median(warm.slice(0, third).map(read));
    const late = median(warm.slice(-third).map(read));
    return { name, early, late, flat: late <= early + slack(early) };
  });
}

/** The first laps fill caches and compile code. */
const warmUp = 3;

/** The verdict on a bound. */
export interface BoundVerdict {
  readonly name: string;
  readonly peak: number;
  readonly bound: number;
  readonly kept: boolean;
}

/** Compares the peak memory, including garbage, with its bound. */
export function boundVerdicts(samples: readonly Sample[]): BoundVerdict[] {
  return bounds.map(({ name, read, bound }) => {
    const peak = Math.max(...samples.map(read));
    return { name, peak, bound, kept: peak <= bound };
  });
}

/** Two to three times the need of Node 22. Slow growth shows earlier, in `verdicts`. */
const bounds: readonly {
  readonly name: string;
  readonly read: (sample: Sample) => number;
  readonly bound: number;
}[] = [
  { name: "rss", read: ({ rssMb }) => rssMb, bound: 300 },
  { name: "replica rss", read: ({ replicaRssMb }) => replicaRssMb, bound: 300 },
  { name: "replica heap", read: ({ replicaHeapMb }) => replicaHeapMb, bound: heapCeilingMb },
];

const held: readonly {
  readonly name: string;
  readonly read: (sample: Sample) => number;
  /** Growth that still counts as flat. */
  readonly slack: (early: number) => number;
}[] = [
  { name: "memory, MB", read: ({ memoryMb }) => memoryMb, slack: (early) => 2 + early * 0.1 },
  { name: "leader, MB", read: ({ leaderMb }) => leaderMb, slack: (early) => 2 + early * 0.1 },
  { name: "standby, MB", read: ({ standbyMb }) => standbyMb, slack: (early) => 2 + early * 0.1 },
  { name: "sockets", read: ({ sockets }) => sockets, slack: () => 2 },
  { name: "timers", read: ({ timers }) => timers, slack: () => 2 },
];

export function renderSummary(
  samples: readonly Sample[],
  { minutes, seed }: { readonly minutes: string; readonly seed: string },
): string {
  const last = samples.at(-1);
  const lines = verdicts(samples).map(
    ({ name, early, late, flat }) =>
      `  ${name.padEnd(12)} ${early} early, ${late} late: ${flat ? "flat" : "GROWN"}`,
  );
  const peaks = boundVerdicts(samples).map(
    ({ name, peak, bound, kept }) =>
      `  ${name.padEnd(12)} ${peak} MB at the most, bound ${bound} MB: ${kept ? "kept" : "EXCEEDED"}`,
  );
  return `${[
    `${minutes} minutes, seed ${seed}: ${samples.length} times at rest, each time all copies were right`,
    `  ${last?.writes} writes, ${last?.events} events, ${last?.handled} keys processed, ${last?.restarts} watch restarts`,
    `  ${last?.reconciles} reconciles of the leader beside one that never returns, none of the standby`,
    `  ${last?.retained} events retained by a handler, and still the same`,
    ...lines,
    ...peaks,
  ].join("\n")}\n`;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
