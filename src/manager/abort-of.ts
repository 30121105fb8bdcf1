/** Whether an error is only what the signal was aborted with, or comes of it. */
export function isAbortOf(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  for (let each = error, depth = 0; depth < deepest; depth++) {
    if (each === signal.reason) return true;
    if (!(each instanceof Error)) return false;
    if (each.name === "AbortError") return true;
    each = each.cause;
  }
  return false;
}

/** Causes may go round in a circle. */
const deepest = 10;
