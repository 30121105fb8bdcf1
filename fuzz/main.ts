import { inspect } from "node:util";
import { readCommandLine } from "../bench/harness/command-line.ts";
import { realClock } from "../src/base/index.ts";
import { ProgressLine } from "./progress-line.ts";
import { renderReport } from "./report.ts";
import { runSession } from "./session.ts";
import { targets } from "./targets.ts";

const { values } = readCommandLine({
  help: `npm run fuzz -- [--minutes N] [--seed N] [--only NAME]

Runs the package on random input, round after round. Prints the seed and a command that repeats a round that fails.

  --minutes N  time for all targets together (5); 0 runs one round of each target
  --seed N     seed of the first round of every target; each later round takes the next number (1)
  --only NAME  run one target
  --help       print this text

Targets:
${targets.map(({ name, summary }) => `  ${name.padEnd(18)} ${summary}`).join("\n")}
`,
  options: {
    minutes: { type: "string", default: "5" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
  },
  numbers: ["minutes", "seed"],
});
const selected = targets.filter(({ name }) => values.only === undefined || values.only === name);
if (selected.length === 0) {
  const names = targets.map(({ name }) => name).join(", ");
  process.stderr.write(`expected one of ${names} after --only, got ${values.only}\n`);
  process.exit(2);
}

const line = new ProgressLine(process.stderr, Number(values.minutes));
/** An error that no caller sees, or a warning of Node, is a failure of the round that runs. */
for (const event of ["uncaughtException", "unhandledRejection", "warning"] as const) {
  process.on(event, (error: unknown) => {
    const { target, seed } = line.running ?? {};
    process.stderr.write(`\n${event} in ${target}: ${inspect(error)}\n`);
    process.stderr.write(`Repeat it: npm run fuzz -- --only ${target} --seed ${seed} --minutes 0\n`);
    process.exit(1);
  });
}
const results = await runSession({
  targets: selected,
  seed: Number(values.seed),
  budgetMs: Number(values.minutes) * 60_000,
  clock: realClock,
  onProgress: (progress) => line.show(progress),
});
line.end();
process.stdout.write(renderReport(results));
// A hanging round may still hold sockets and processes.
process.exit(results.some(({ failure }) => failure) ? 1 : 0);
