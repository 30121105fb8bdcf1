import { writeFileSync } from "node:fs";
import { earlier } from "./against.ts";
import {
  type BaselineBench,
  baselineOf,
  type FiguresByCase,
  figuresByCase,
  type RunFacts,
  readBaseline,
  writeBaseline,
} from "./baseline.ts";
import type { Bench } from "./bench.ts";
import { calibrate } from "./calibration.ts";
import { type Comparison, compareFigures } from "./compare.ts";
import { renderComparison } from "./comparison-table.ts";
import { partOf, type ReportOptions } from "./report.ts";
import { runRounds } from "./rounds.ts";
import type { Row } from "./rows.ts";
import { watchMachine } from "./watch-machine.ts";

/** Measures ours in each bench, and writes the figures to BASELINE.json. */
export async function measureBaseline(benches: readonly Bench[], options: ReportOptions): Promise<void> {
  for (const bench of benches) {
    const { rows, facts, ours, lines } = await measure(bench, options);
    writeBaseline({ [bench.name]: baselineOf(rows, ours, facts) });
    process.stdout.write(`${bench.name}: written to bench/BASELINE.json\n${lines.join("\n")}\n\n`);
  }
}

/**
 * Measures ours in each bench, and prints the figures next to BASELINE.json, or next to another checkout that
 * alternates with this one. The exit code is 1 if a figure is worse than its bound, or ours failed.
 */
export async function compareWithBaseline(benches: readonly Bench[], options: ReportOptions): Promise<void> {
  const all: BenchComparison[] = [];
  for (const bench of benches) {
    const found = await compareOne(bench, options);
    all.push(...found.map((each) => ({ bench: bench.name, ...each })));
  }
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(all, undefined, 2)}\n`);
  process.stdout.write(`\n${summary(all)}\n`);
  if (all.some(({ verdict }) => verdict === "broken")) process.exitCode = 1;
}

type BenchComparison = Comparison & { readonly bench: string };

/** Measures one bench and prints its comparison. */
async function compareOne(bench: Bench, options: ReportOptions): Promise<Comparison[]> {
  const recorded = options.against === undefined ? recordedOf(bench) : undefined;
  const { rows, facts, ours, lines } = await measure(bench, options);
  const figuresOf = (name: string) => figuresByCase(rows.filter(({ peer }) => peer === name));
  const compared = (before: FiguresByCase, now: FiguresByCase) =>
    compareFigures(before, now).filter((each) => isAsked(bench, each, options));
  const found = compared(recorded ? recorded.ours : figuresOf(earlier), figuresOf(ours));
  const about = recorded
    ? conditions(recorded, facts)
    : [`baseline: the build in ${options.against}, in turns`];
  process.stdout.write(
    `\n== ${bench.name}\n${[...about, ...lines].join("\n")}\n\n${renderComparison(found)}`,
  );
  const floor = compared(recorded?.bareSocket ?? {}, figuresOf("bare socket")).map(asContext);
  if (floor.length > 0) process.stdout.write(`\nbare socket, ${renderComparison(floor)}`);
  return found;
}

function recordedOf({ name }: Bench): BaselineBench {
  const recorded = readBaseline().benches[name];
  if (recorded) return recorded;
  throw new Error(`expected ${name} in bench/BASELINE.json, got none: run npm run bench -- baseline ${name}`);
}

interface Measured {
  readonly rows: readonly Row[];
  readonly facts: RunFacts;
  /** Name of the peer that is ours. */
  readonly ours: string;
  readonly lines: readonly string[];
}

async function measure(whole: Bench, options: ReportOptions): Promise<Measured> {
  const { rounds = 5 } = options;
  const bench = await partOf(whole, { ...options, peer: "bare socket", rounds });
  const ours = bench.peers.find((peer) => peer.ours)?.name ?? "";
  const calibrationMs = calibrate();
  const seen = watchMachine();
  const progress = (line: string) => void process.stderr.write(`${line}\n`);
  const { rows, failed } = await runRounds(bench, { quick: false, progress });
  const { lines, othersPercent } = seen();
  const failures = failed.map(({ case: at, peer, reason }) => `failed   ${at}, ${peer}: ${reason}`);
  if (failures.length > 0) process.exitCode = 1;
  return { rows, ours, lines: [...lines, ...failures], facts: { rounds, othersPercent, calibrationMs } };
}

/** A case that `--case` excludes is not missing. */
function isAsked(bench: Bench, { case: name }: Comparison, { case: text = "" }: ReportOptions): boolean {
  return name.includes(text) || !bench.cases.some((each) => each.name === name);
}

const asContext = (comparison: Comparison): Comparison => ({ ...comparison, verdict: "context" });

function conditions(before: BaselineBench, now: RunFacts): string[] {
  const { commit, date, node, cpus, rounds, othersPercent, calibrationMs } = before;
  const busy = othersPercent === undefined ? "" : `, others took ${othersPercent}% of the processors`;
  const doubt = (othersPercent ?? 0) > 10 ? ": TOO MUCH to compare with, measure the baseline again" : "";
  const loop = (ms: number | undefined) => (ms === undefined ? "not recorded" : `${ms.toFixed(0)} ms`);
  return [
    `baseline: ${commit} of ${date}, Node ${node}, ${cpus} processors, ${rounds} rounds${busy}${doubt}`,
    `calibration: ${loop(calibrationMs)} then, ${loop(now.calibrationMs)} now`,
  ];
}

function summary(all: readonly BenchComparison[]): string {
  const broken = all.filter(({ verdict }) => verdict === "broken");
  if (broken.length === 0) return "every figure is within its bound";
  const lines = broken.map(
    ({ bench, case: at, figure, ratio }) => `  ${bench}: ${at}: ${figure} ${ratio?.toFixed(2)}x`,
  );
  return [`${broken.length} figures are worse than their bound:`, ...lines].join("\n");
}
