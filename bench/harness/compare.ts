import type { BaselineFigure, FiguresByCase } from "./baseline.ts";

/** One figure and its baseline. A side is absent if the figure or its case was not measured there. */
export interface Comparison {
  readonly case: string;
  readonly figure: string;
  readonly before: BaselineFigure | undefined;
  readonly now: BaselineFigure | undefined;
  /** The value now divided by the baseline's. */
  readonly ratio: number | undefined;
  readonly verdict: Verdict;
}

export type Verdict =
  /** Within its bound, or better. */
  | "within"
  /** Worse than its bound allows: the comparison fails. */
  | "broken"
  /** More than 15 % worse in a figure without a bound: worth a look. */
  | "note"
  /** A figure of another program. It shows the load of the machine. */
  | "context"
  /** Measured on one side only. */
  | "unpaired";

/**
 * Compares figures with a baseline.
 *
 * Bounds: processor time and throughput at most 15 % worse, p50 and p99 at most twice as long. Elapsed times of a whole
 * (`sync`, `start`, `first`, `next`, import `time`), memory, sizes and connections have no bound; more than 15 % worse
 * is noted. `stub cpu` and `generator` are of other programs.
 */
export function compareFigures(before: FiguresByCase, now: FiguresByCase): Comparison[] {
  return union(before, now).flatMap((name) =>
    union(before[name] ?? {}, now[name] ?? {}).map((figure) =>
      comparison(name, figure, { before: before[name]?.[figure], now: now[name]?.[figure] }),
    ),
  );
}

interface Sides {
  readonly before: BaselineFigure | undefined;
  readonly now: BaselineFigure | undefined;
}

function comparison(inCase: string, figure: string, { before, now }: Sides): Comparison {
  const common = { case: inCase, figure, before, now };
  if (!before || !now) return { ...common, ratio: undefined, verdict: "unpaired" };
  const ratio = before.median === now.median ? 1 : now.median / before.median;
  return { ...common, ratio, verdict: verdictOf(figure, before, ratio) };
}

function verdictOf(figure: string, { better }: BaselineFigure, ratio: number): Verdict {
  if (figure === "stub cpu" || figure === "generator") return "context";
  const isLate = figure === "p50" || figure === "p99";
  const worse = better === "higher" ? ratio < 1 - tolerance : ratio > (isLate ? lateness : 1 + tolerance);
  if (!worse) return "within";
  return isLate || better === "higher" || isProcessorTime(figure) ? "broken" : "note";
}

function isProcessorTime(figure: string): boolean {
  return figure === "cpu" || figure.endsWith(" cpu");
}

/** Maximum relative loss of processor time and throughput. */
const tolerance = 0.15;
/** Maximum ratio of p50 and p99. */
const lateness = 2;

function union(a: object, b: object): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])];
}
