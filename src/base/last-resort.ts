import { realClock } from "./clock.ts";

let lastMs = Number.NEGATIVE_INFINITY;

/**
 * Writes to standard error what can be reported nowhere else, such as the failure of a logger: at most one line a
 * minute in the whole process, so that a broken logger does not flood it. Never throws.
 */
export function lastResort(line: string): void {
  const nowMs = realClock.monotonic();
  if (nowMs - lastMs < everyMs) return;
  lastMs = nowMs;
  try {
    process.stderr.write(`${line}\n`);
  } catch {
    // There is no other place to report it.
  }
}

const everyMs = 60_000;
