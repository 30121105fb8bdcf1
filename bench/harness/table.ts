import { aligned } from "./aligned.ts";
import type { Bench, Case, Figure } from "./bench.ts";
import { formatValue } from "./format-value.ts";
import type { Outcome } from "./rounds.ts";
import type { Row } from "./rows.ts";
import { checkTargets } from "./targets.ts";

/**
 * Formats the result: a table for each case with peers as rows and figures as columns, then skipped and failed peers
 * and missed targets.
 */
export function renderOutcome(bench: Bench, outcome: Outcome): string {
  const tables = bench.cases.map((each) => caseTable(bench, each, outcome.rows));
  const skipped = outcome.skipped.map(({ peer, reason }) => `skipped  ${peer}: ${reason}`);
  const failed = outcome.failed.map(({ peer, case: at, reason }) => `failed   ${at}, ${peer}: ${reason}`);
  const targets = checkTargets(bench, outcome.rows);
  const notes = [outcome.notes, [...skipped, ...failed], targets].map((lines) => lines.join("\n"));
  return `${[...tables, ...notes].filter((part) => part !== "").join("\n\n")}\n`;
}

function caseTable(bench: Bench, each: Case, rows: readonly Row[]): string {
  const lines = bench.peers.flatMap(({ name, ours }) => {
    const cells = each.figures.map((figure) =>
      rows.find((row) => row.peer === name && row.figure === `${each.name}: ${figure.name}`),
    );
    return cells.some(Boolean)
      ? [[`  ${name}`, ...cells.flatMap((row) => cellTexts(row, ours ?? false))]]
      : [];
  });
  return lines.length === 0 ? "" : aligned([[each.name, ...each.figures.flatMap(heading)], ...lines]);
}

/** Formats a value with the ratio of ours to it. */
function cellTexts(row: Row | undefined, ours: boolean): [string, string] {
  if (row === undefined) return ["-", ""];
  return [formatValue(row.value), row.ratio === undefined || ours ? "" : `${row.ratio.toFixed(2)}x`];
}

function heading({ name, unit, better }: Figure): [string, string] {
  return [`${[name, unit].filter(Boolean).join(" ")} ${better === "higher" ? "↑" : "↓"}`, ""];
}
