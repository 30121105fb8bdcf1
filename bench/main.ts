import { readdirSync } from "node:fs";
import {
  type Bench,
  compareWithBaseline,
  isMistake,
  measureBaseline,
  readBaseline,
  report,
  reportArguments,
  reportHelp,
} from "./harness/index.ts";

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1)); // peers stop at an exit

const benches = await loadBenches();
const help = `npm run bench -- [NAME] [--quick] [--json FILE] [--case TEXT] [--peer TEXT] [--rounds N] [--profile FOLDER] [--against FOLDER]
npm run bench -- compare [NAME ...] [--json FILE] [--case TEXT] [--rounds N] [--against FOLDER]
npm run bench -- baseline [NAME ...] [--rounds N]

${reportHelp}
  compare           runs ours in five rounds, and prints it beside bench/BASELINE.json, or beside the build in the folder
                    of --against; ends with 1 if a bound is broken
  baseline          runs ours in five rounds, and writes it to bench/BASELINE.json

${benches.map(({ name, summary }) => `  ${name.padEnd(11)}  ${summary}\n`).join("")}`;

const { names, ...options } = reportArguments(help, { names: benches.length + 1 });
const [first, ...others] = names;
if (first === "compare") await withBaseline(compareWithBaseline, comparable());
else if (first === "baseline") await withBaseline(measureBaseline, namesOfOurs());
else if (others.length > 0) refuse(`expected one bench, got ${names.join(" ")}`);
else if (first === undefined) process.stdout.write(help);
else await withBenches([first], ([bench]) => bench && report(bench, options));

type BaselineCommand = typeof compareWithBaseline;

/** @param all The benches to measure if no name is given. */
async function withBaseline(command: BaselineCommand, all: readonly string[]): Promise<void> {
  if (options.quick || options.peer !== undefined || options.profile !== undefined) {
    return refuse(`expected ${first} without --quick, --peer and --profile, got one of them`);
  }
  await withBenches(others.length > 0 ? others : all, async (chosen) => {
    try {
      await command(chosen, options);
    } catch (error) {
      if (!isMistake(error)) throw error;
      refuse(error.message);
    }
  });
}

/** The benches of BASELINE.json. With another checkout, those that can run two. */
function comparable(): string[] {
  const recorded = Object.keys(readBaseline().benches);
  if (options.against === undefined) return recorded;
  return recorded.filter((name) => benches.some((bench) => bench.name === name && !bench.singleCheckout));
}

/** The benches that measure ours. `stub` measures the stub. */
function namesOfOurs(): string[] {
  return benches.filter(({ peers }) => peers.some(({ ours }) => ours)).map(({ name }) => name);
}

async function withBenches(
  wanted: readonly string[],
  use: (chosen: readonly Bench[]) => Promise<void> | undefined,
): Promise<void> {
  const unknown = wanted.find((name) => !benches.some((bench) => bench.name === name));
  const known = benches.map(({ name }) => name).join(", ");
  if (unknown !== undefined) return refuse(`expected one of the benches ${known}, got ${unknown}`);
  await use(wanted.flatMap((name) => benches.filter((bench) => bench.name === name)));
}

async function loadBenches(): Promise<Bench[]> {
  const folder = new URL("./benches/", import.meta.url);
  const files = readdirSync(folder).sort();
  // Every file in this folder exports a bench.
  return Promise.all(
    files.map(async (file) => ((await import(`${folder}${file}`)) as { bench: Bench }).bench),
  );
}

function refuse(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 2;
}
