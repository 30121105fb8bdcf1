import { readdirSync, readFileSync, statSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Maximum share of other programs, above which rates are not worth quoting. */
const tolerable = 0.1;

export interface MachineReport {
  /** Lines for the report: the machine, the load of other programs, and whether the build was current. */
  readonly lines: readonly string[];
  /** Share of the processors that other programs used, in percent. Absent if the system does not report it. */
  readonly othersPercent?: number | undefined;
}

/** Observes the machine from this call on. The returned function reports the result. */
export function watchMachine(): () => MachineReport {
  const before = processorMs();
  return () => {
    const after = processorMs();
    const others = (after.busy - before.busy - (after.own - before.own)) / (after.all - before.all);
    const lines = [machine(), ...sharing(others), ...(buildIsStale() ? [staleBuild] : [])];
    return Number.isNaN(others) ? { lines } : { lines, othersPercent: Math.max(0, Math.round(others * 100)) };
  };
}

const staleBuild = "dist/ is older than src/: run `npm run build` first";

function machine(): string {
  const { length, 0: first } = cpus();
  return `Node ${process.versions.node}, ${length} x ${first?.model.trim()}`;
}

/** Returns `undefined` if the system does not report the processor time of our processes. */
function sharing(others: number): string[] {
  if (Number.isNaN(others)) return [];
  const line = `others took ${Math.max(0, Math.round(others * 100))}% of the processors during the run`;
  return [others > tolerable ? `${line}: TOO MUCH to quote rates, run again on an idle machine` : line];
}

interface ProcessorMs {
  readonly busy: number;
  readonly all: number;
  /** Processor time of this process and of its children that have ended. */
  readonly own: number;
}

function processorMs(): ProcessorMs {
  const times = cpus().map((cpu) => cpu.times);
  const all = sum(times.flatMap((each) => Object.values(each)));
  return { all, busy: all - sum(times.map(({ idle }) => idle)), own: ownMs() };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Linux counts in ticks of 10 ms: fields 14 to 17, after the program name in parentheses. */
function ownMs(): number {
  try {
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
    return sum(fields.slice(11, 15).map(Number)) * 10;
  } catch {
    // Not on Linux: NaN stands for unknown.
    return Number.NaN;
  }
}

function buildIsStale(): boolean {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const newest = (folder: string, ending: RegExp) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => ending.test(file))
      .reduce((latest, file) => Math.max(latest, statSync(join(root, folder, file)).mtimeMs), 0);
  return newest("src", /(?<!\.test|\.test-d|\.contract)\.ts$/) > newest("dist", /\.js$/);
}
