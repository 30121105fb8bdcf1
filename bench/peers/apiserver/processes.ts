import { readdirSync, readFileSync } from "node:fs";

/** Linux counts processor time in ticks of 10 ms. */
const tickUs = 10_000;
const pageBytes = 4096;

/** Returns the processor time of processes so far, in all threads, in us. NaN if the system does not report it. */
export function cpuUs(pids: readonly number[]): number {
  // Fields 14 and 15 of the file.
  return sum(pids.map((pid) => (statOf(pid)[11] ?? Number.NaN) + (statOf(pid)[12] ?? Number.NaN))) * tickUs;
}

/** Returns the current memory of processes in MB. NaN if the system does not report it. */
export function rssMb(pids: readonly number[]): number {
  return (sum(pids.map((pid) => statOf(pid)[21] ?? Number.NaN)) * pageBytes) / 2 ** 20;
}

/** Returns the descendants of a process with these names. */
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

/** Returns the fields after the program name in parentheses: index 0 is field 3. */
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
    // The process has ended, or this is not Linux.
    return "";
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
