import { readdirSync, statSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** What a reader of figures should know of where they come from: the machine, how idle it was, and what was measured. */
export async function circumstances(): Promise<string[]> {
  const { length, 0: first } = cpus();
  const busy = Math.round((await busyShare()) * 100);
  const machine = `Node ${process.versions.node}, ${length} x ${first?.model.trim()}, ${busy}% busy before the start`;
  return buildIsStale()
    ? [machine, "dist/ is older than src/: run npm run build to measure what is there"]
    : [machine];
}

/** How much of all processors is taken, seen over half a second. */
async function busyShare(): Promise<number> {
  const before = processorTimes();
  await delay(500);
  const after = processorTimes();
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}

function processorTimes(): { idle: number; all: number } {
  const times = cpus().map((cpu) => cpu.times);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.flatMap((each) => Object.values(each))) };
}

function buildIsStale(): boolean {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const newest = (folder: string, ending: RegExp) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => ending.test(file))
      .reduce((latest, file) => Math.max(latest, statSync(join(root, folder, file)).mtimeMs), 0);
  return newest("src", /(?<!\.test|\.test-d|\.contract)\.ts$/) > newest("dist", /\.js$/);
}
