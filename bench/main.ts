import { readdirSync } from "node:fs";
import { type Bench, report, reportArguments } from "./harness/index.ts";

/** `npm run bench -- NAME [--quick] [--json FILE]` */
const { name, ...options } = reportArguments(process.argv.slice(2));
const benches = await loadBenches();
const chosen = benches.find((bench) => bench.name === name);
if (chosen === undefined) printBenches();
else await report(chosen, options);

async function loadBenches(): Promise<Bench[]> {
  const folder = new URL("./benches/", import.meta.url);
  const files = readdirSync(folder).sort();
  // Every file there exports a bench: that is what the folder is for.
  return Promise.all(
    files.map(async (file) => ((await import(`${folder}${file}`)) as { bench: Bench }).bench),
  );
}

function printBenches(): void {
  if (name !== undefined) process.stderr.write(`expected the name of a bench, got ${name}\n`);
  process.stdout.write("npm run bench -- NAME [--quick] [--json FILE]\n\n");
  for (const bench of benches) process.stdout.write(`  ${bench.name.padEnd(10)} ${bench.summary}\n`);
  process.exitCode = name === undefined ? 0 : 1;
}
