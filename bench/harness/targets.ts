import type { Bench, Target } from "./bench.ts";
import { formatValue } from "./format-value.ts";
import type { Row } from "./rows.ts";

/** Returns one line for each target and row: whether our ratio to that peer meets it. */
export function checkTargets(bench: Bench, rows: readonly Row[]): string[] {
  return (bench.targets ?? []).flatMap((target) =>
    rows.filter((row) => concerns(target, row)).map((row) => verdict(target, row)),
  );
}

function concerns(target: Target, row: Row): boolean {
  const known = target.absolute || row.ratio !== undefined;
  return known && target.peers.includes(row.peer) && row.figure.endsWith(`: ${target.figure}`);
}

function verdict(target: Target, { ratio = Number.NaN, value, unit, figure, peer }: Row): string {
  const { atLeast = 0, atMost = Number.POSITIVE_INFINITY } = target;
  const got = target.absolute ? value : ratio;
  const mark = got >= atLeast && got <= atMost ? "target  " : "MISSED  ";
  const show = (number: number) => `${formatValue(number)}${target.absolute ? ` ${unit}`.trimEnd() : "x"}`;
  const bound = atLeast > 0 ? `at least ${show(atLeast)}` : `at most ${show(atMost)}`;
  return `${mark} ${figure}: ${show(got)}${target.absolute ? "" : ` of ${peer}`}, wanted ${bound}`;
}
