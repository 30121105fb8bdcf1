import { readdirSync, readFileSync } from "node:fs";

/** Linux counts processor time in ticks of 10 ms. */
const tickUs = 10_000;
const pageBytes = 4096;

/** Processor time of processes so far, in all their threads, in us. NaN where the system does not tell. */
export function cpuUs(pids: readonly number[]): number {
  // Fields 14 and 15 of the file.
  return sum(pids.map((pid) => (statOf(pid)[11] ?? Number.NaN) + (statOf(pid)[12] ?? Number.NaN))) * tickUs;
}

/** Memory that processes have now, in MB. NaN where the system does not tell. */
export function rssMb(pids: readonly number[]): number {
  return (sum(pids.map((pid) => statOf(pid)[21] ?? Number.NaN)) * pageBytes) / 2 ** 20;
}

/** The processes of these names that a process started, or one of those that it started. */
export function startedBy(pid: number, names: readonly string[]): number[] {
  const children = pidsNow().filter((one) => statOf(one)[1] === pid);
  return children.flatMap((child) => [
    ...(names.includes(nameOf(child)) ? [child] : []),
    ...startedBy(child, names),
  ]);
}

function pidsNow(): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0);
}

function nameOf(pid: number): string {
  return /\((.*)\)/s.exec(read(pid))?.[1] ?? "";
}

/** What follows the name of the program, which is in brackets: index 0 is field 3. */
function statOf(pid: number): number[] {
  return read(pid)
    .slice(read(pid).lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
}

function read(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    // It has ended, or this is not Linux: nothing is known of it.
    return "";
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
