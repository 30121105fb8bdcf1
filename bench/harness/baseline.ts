import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import type { Figure } from "./bench.ts";
import type { Row } from "./rows.ts";

/** Figures of an earlier commit, to compare with: `bench/BASELINE.json`. */
export interface Baseline {
  readonly benches: Readonly<Record<string, BaselineBench>>;
}

/** How one bench was measured, and its figures. Each bench has its own, since it may be measured again separately. */
export interface BaselineBench {
  readonly commit: string;
  readonly date: string;
  readonly node: string;
  readonly cpus: number;
  readonly rounds: number;
  /**
   * Share of the processors that other programs used meanwhile, in percent. Above 10, the figures are not worth
   * quoting.
   */
  readonly othersPercent?: number | undefined;
  /** See `calibrate`. */
  readonly calibrationMs?: number | undefined;
  readonly ours: FiguresByCase;
  /** The figures of the bare socket in the same run, if any: the latency without a client. */
  readonly bareSocket?: FiguresByCase | undefined;
}

export type FiguresByCase = Readonly<Record<string, Readonly<Record<string, BaselineFigure>>>>;

export interface BaselineFigure {
  readonly unit: string;
  readonly better: Figure["better"];
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Commit, date, machine and load of a run. */
export interface RunFacts {
  readonly rounds: number;
  readonly othersPercent?: number | undefined;
  readonly calibrationMs: number;
}

const file = fileURLToPath(new URL("../BASELINE.json", import.meta.url));

export function readBaseline(): Baseline {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Baseline; // `writeBaseline` wrote it
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { benches: {} };
    throw error;
  }
}

/** Replaces the given benches and keeps the others. */
export function writeBaseline(benches: Baseline["benches"]): void {
  const baseline: Baseline = { benches: { ...readBaseline().benches, ...benches } };
  writeFileSync(file, `${JSON.stringify(baseline, undefined, 2)}\n`);
}

/** Returns the rows of one bench as its part of a baseline. @param ours name of the peer that is ours */
export function baselineOf(rows: readonly Row[], ours: string, facts: RunFacts): BaselineBench {
  const bare = figuresByCase(rows.filter(({ peer }) => peer === "bare socket"));
  return {
    commit: execFileSync("git", ["rev-parse", "--short", "HEAD"], {
      cwd: fileURLToPath(root),
      encoding: "utf8",
    }).trim(),
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    cpus: cpus().length,
    ...facts,
    ours: figuresByCase(rows.filter(({ peer }) => peer === ours)),
    ...(Object.keys(bare).length > 0 && { bareSocket: bare }),
  };
}

const root = new URL("..", import.meta.url);

/** Rows of one peer by case and figure. */
export function figuresByCase(rows: readonly Row[]): FiguresByCase {
  const cases: Record<string, Record<string, BaselineFigure>> = {};
  for (const { figure: both, value: median, min, max, unit, better } of rows) {
    const colon = both.lastIndexOf(": ");
    const name = both.slice(0, colon);
    cases[name] = { ...cases[name], [both.slice(colon + 2)]: { unit, better, median, min, max } };
  }
  return cases;
}
