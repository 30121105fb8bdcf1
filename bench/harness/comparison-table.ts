import { aligned } from "./aligned.ts";
import type { BaselineFigure } from "./baseline.ts";
import type { Comparison } from "./compare.ts";
import { formatValue } from "./format-value.ts";

/**
 * Returns a table for each case: the baseline and the current value with the ranges of their rounds, the ratio, the
 * verdict.
 */
export function renderComparison(comparisons: readonly Comparison[]): string {
  const cases = new Map<string, Comparison[]>();
  for (const each of comparisons) cases.set(each.case, [...(cases.get(each.case) ?? []), each]);
  const tables = Array.from(cases, ([name, rows]) =>
    aligned([[name, "baseline", "range", "now", "range", "ratio"], ...rows.map(cells)]),
  );
  return `${tables.join("\n\n")}\n`;
}

function cells(comparison: Comparison): string[] {
  const { figure, before, now, ratio } = comparison;
  const { unit = "", better = "lower" } = now ?? before ?? {};
  const name = `  ${[figure, unit].filter(Boolean).join(" ")} ${better === "higher" ? "↑" : "↓"}`;
  const times = ratio === undefined ? "" : `${ratio.toFixed(2)}x`;
  return [name, ...valueAndRange(before), ...valueAndRange(now), times, remark(comparison)];
}

function valueAndRange(figure: BaselineFigure | undefined): [string, string] {
  if (!figure) return ["-", ""];
  return [formatValue(figure.median), `${formatValue(figure.min)} - ${formatValue(figure.max)}`];
}

function remark({ verdict, figure, before }: Comparison): string {
  switch (verdict) {
    case "within":
    case "context":
      return "";
    case "broken":
      return `WORSE: at most ${figure === "p50" || figure === "p99" ? "2x" : "15%"} is allowed`;
    case "note":
      return "worse";
    case "unpaired":
      return before ? "not measured now" : "not in the baseline";
    default:
      throw new Error(`expected a verdict, got ${verdict satisfies never}`);
  }
}
