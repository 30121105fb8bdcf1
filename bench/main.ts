import { readdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Bench, renderOutcome, runRounds } from "./harness/index.ts";

/** `npm run bench -- NAME [--quick] [--json FILE]` */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false }, json: { type: "string" } },
});
const benches = await loadBenches();
const bench = benches.find(({ name }) => name === positionals[0]);
if (bench === undefined) printBenches(positionals[0]);
else await runBench(bench);

async function loadBenches(): Promise<Bench[]> {
  const folder = new URL("./benches/", import.meta.url);
  const files = readdirSync(folder).sort();
  // Every file there exports a bench: that is what the folder is for.
  return Promise.all(
    files.map(async (file) => ((await import(`${folder}${file}`)) as { bench: Bench }).bench),
  );
}

function printBenches(asked: string | undefined): void {
  if (asked !== undefined) process.stderr.write(`expected the name of a bench, got ${asked}\n`);
  process.stdout.write("npm run bench -- NAME [--quick] [--json FILE]\n\n");
  for (const { name, summary } of benches) process.stdout.write(`  ${name.padEnd(10)} ${summary}\n`);
  process.exitCode = asked === undefined ? 0 : 1;
}

/** Progress goes to the error output, so that the report can be kept alone. */
async function runBench(chosen: Bench): Promise<void> {
  const progress = (line: string) => void process.stderr.write(`${line}\n`);
  const outcome = await runRounds(chosen, { quick: values.quick, progress });
  process.stdout.write(`\n${renderOutcome(chosen, outcome)}`);
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify(outcome.rows, undefined, 2)}\n`);
  const ours = chosen.peers.find((peer) => peer.ours)?.name;
  if (outcome.failed.some(({ peer }) => peer === ours)) process.exitCode = 1;
}
