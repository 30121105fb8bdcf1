import { writeFileSync } from "node:fs";
import type { Bench } from "./bench.ts";
import { readCommandLine } from "./command-line.ts";
import { runRounds } from "./rounds.ts";
import { renderOutcome } from "./table.ts";
import { watchMachine } from "./watch-machine.ts";

export interface ReportOptions {
  readonly quick: boolean;
  /** File for the figures as JSON. */
  readonly json: string | undefined;
}

/** What `reportArguments` reads, for the help of who calls it. */
export const reportHelp: string = `  --quick      one round of small sizes: does it work?
  --json FILE  write the figures there, too
  --help       say this
`;

/** Reads `[--quick] [--json FILE]`, and as many names of benches as may be given. */
export function reportArguments(
  help: string,
  { names = 0 }: { readonly names?: number | undefined } = {},
): ReportOptions & { readonly name: string | undefined } {
  const { values, positionals } = readCommandLine({
    help,
    options: { quick: { type: "boolean", default: false }, json: { type: "string" } },
    positionals: names,
  });
  return { name: positionals[0], quick: values.quick, json: values.json };
}

/**
 * Runs a bench, prints its report and writes its figures.
 *
 * Progress goes to the error output, so that the report can be kept alone. Where ours failed, the process is to end with 1.
 */
export async function report(bench: Bench, { quick, json }: ReportOptions): Promise<void> {
  const progress = (line: string) => void process.stderr.write(`${line}\n`);
  const seen = watchMachine();
  const outcome = await runRounds(bench, { quick, progress });
  process.stdout.write(`\n${seen().join("\n")}\n\n${renderOutcome(bench, outcome)}`);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(outcome.rows, undefined, 2)}\n`);
  const ours = bench.peers.find((peer) => peer.ours)?.name;
  if (outcome.failed.some(({ peer }) => peer === ours)) process.exitCode = 1;
}
