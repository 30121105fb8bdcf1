import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The cores of a server and of its load generator, as `taskset` takes them. */
export interface Cores {
  /** One core: "1". */
  readonly server: string;
  /** All others: "0,2,3". */
  readonly load: string;
}

/** Returns the cores to pin programs to, or the reason why that is not possible. */
export function findCores(): Cores | { readonly unpinned: string } {
  if (spawnSync("taskset", ["--version"]).status !== 0) return { unpinned: "taskset is not installed" };
  const cores = allowedCores();
  const server = cores.at(-1);
  if (server === undefined || cores.length < 2) return { unpinned: `this process has ${cores.length} core` };
  return { server: `${server}`, load: cores.slice(0, -1).join(",") };
}

/** Reads the cores that this process may use: "0-2,5". */
function allowedCores(): number[] {
  const status = readFileSync("/proc/self/status", "utf8"); // exists where taskset does
  const list = /Cpus_allowed_list:\s*(\S+)/.exec(status)?.[1] ?? "";
  return list.split(",").flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
