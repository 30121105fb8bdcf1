import type { Bench, Target } from "./bench.ts";
import type { Row } from "./rows.ts";

/** One line for each target and each row it speaks of: whether our ratio to that peer is where it should be. */
export function checkTargets(bench: Bench, rows: readonly Row[]): string[] {
  return (bench.targets ?? []).flatMap((target) =>
    rows.filter((row) => concerns(target, row)).map((row) => verdict(target, row)),
  );
}

function concerns(target: Target, row: Row): boolean {
  return (
    row.ratio !== undefined && target.peers.includes(row.peer) && row.figure.endsWith(`: ${target.figure}`)
  );
}

function verdict(
  { atLeast = 0, atMost = Number.POSITIVE_INFINITY }: Target,
  { ratio = Number.NaN, figure, peer }: Row,
): string {
  const met = ratio >= atLeast && ratio <= atMost;
  const bound = atLeast > 0 ? `at least ${round(atLeast)}x` : `at most ${round(atMost)}x`;
  return `${met ? "target  " : "MISSED  "} ${figure}: ${ratio.toFixed(2)}x of ${peer}, wanted ${bound}`;
}

const round = (value: number) => Number(value.toFixed(2));
