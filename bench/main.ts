import { readdirSync } from "node:fs";
import { type Bench, report, reportArguments, reportHelp } from "./harness/index.ts";

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1)); // peers end at an exit

const benches = await loadBenches();
const help = `npm run bench -- [NAME] [--quick] [--json FILE] [--case TEXT] [--peer TEXT] [--rounds N] [--profile FOLDER]

${reportHelp}
${benches.map(({ name, summary }) => `  ${name.padEnd(11)}  ${summary}\n`).join("")}`;

const { name, ...options } = reportArguments(help, { names: 1 });
const chosen = benches.find((bench) => bench.name === name);
if (chosen) await report(chosen, options);
else if (name === undefined) process.stdout.write(help);
else refuse(name);

async function loadBenches(): Promise<Bench[]> {
  const folder = new URL("./benches/", import.meta.url);
  const files = readdirSync(folder).sort();
  // Every file there exports a bench: that is what the folder is for.
  return Promise.all(
    files.map(async (file) => ((await import(`${folder}${file}`)) as { bench: Bench }).bench),
  );
}

function refuse(unknown: string): void {
  const names = benches.map((bench) => bench.name).join(", ");
  process.stderr.write(`expected one of the benches ${names}, got ${unknown}\n`);
  process.exitCode = 2;
}
