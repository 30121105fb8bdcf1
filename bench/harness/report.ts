import { writeFileSync } from "node:fs";
import { against, CheckoutError } from "./against.ts";
import type { Bench } from "./bench.ts";
import { readCommandLine } from "./command-line.ts";
import { type Narrowing, narrowed, UnknownCaseError } from "./narrowed.ts";
import { profiled } from "./profiled.ts";
import { runRounds } from "./rounds.ts";
import { renderOutcome } from "./table.ts";
import { watchMachine } from "./watch-machine.ts";

export interface ReportOptions extends Narrowing {
  readonly quick: boolean;
  /** File for the figures as JSON. */
  readonly json: string | undefined;
  /** Folder for profiles of ours. @default none */
  readonly profile?: string | undefined;
  /** Folder of another checkout whose build alternates with this one. @default none */
  readonly against?: string | undefined;
}

/** Help text for the options of `reportArguments`. */
export const reportHelp: string = `  --quick           one round of small sizes: does it work?
  --json FILE       write the figures there, too
  --case TEXT       only the cases that have it in their name
  --peer TEXT       only ours, and the peers that have it in their name
  --rounds N        so many, in place of the bench's own number
  --profile FOLDER  have Node write there where ours spends its time (.cpuprofile)
  --against FOLDER  run ours of another checkout, installed and built, in turns with this one
  --help            say this
`;

/** Reads the options above, and up to `names` arguments before them. */
export function reportArguments(
  help: string,
  { names = 0 }: { readonly names?: number | undefined } = {},
): ReportOptions & { readonly names: readonly string[] } {
  const { values, positionals } = readCommandLine({
    help,
    options: {
      quick: { type: "boolean", default: false },
      json: { type: "string" },
      case: { type: "string" },
      peer: { type: "string" },
      rounds: { type: "string", default: "0" },
      profile: { type: "string" },
      against: { type: "string" },
    },
    numbers: ["rounds"],
    positionals: names,
  });
  return { ...values, names: positionals, json: values.json, rounds: Number(values.rounds) || undefined };
}

/**
 * Runs a bench, prints its report and writes its figures.
 * Progress goes to the error output, so that the report can be redirected. The exit code is 1 if ours failed, and 2 for
 * an unknown case.
 */
export async function report(whole: Bench, options: ReportOptions): Promise<void> {
  try {
    const part = await partOf(whole, options);
    await reportAll(options.profile === undefined ? part : profiled(part, options.profile), options);
  } catch (error) {
    if (!isMistake(error)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}

/** Returns the part of the bench to run, with ours of another checkout if given. */
export async function partOf(whole: Bench, options: ReportOptions): Promise<Bench> {
  const part = narrowed(whole, options);
  return options.against === undefined ? part : against(part, options.against);
}

/** Returns true if the bench does not support the arguments. */
export function isMistake(error: unknown): error is Error {
  return error instanceof UnknownCaseError || error instanceof CheckoutError;
}

async function reportAll(bench: Bench, { quick, json }: ReportOptions): Promise<void> {
  const progress = (line: string) => void process.stderr.write(`${line}\n`);
  const seen = watchMachine();
  const outcome = await runRounds(bench, { quick, progress });
  process.stdout.write(`\n${seen().lines.join("\n")}\n\n${renderOutcome(bench, outcome)}`);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(outcome.rows, undefined, 2)}\n`);
  const ours = bench.peers.find((peer) => peer.ours)?.name;
  if (outcome.failed.some(({ peer }) => peer === ours)) process.exitCode = 1;
}
