import { causesOf, isError } from "../base/index.ts";

/** Whether an error is only what the signal was aborted with, or comes of it. */
export function isAbortedBy(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  return causesOf(error).some(
    (each) => each === signal.reason || (isError(each) && each.name === "AbortError"),
  );
}
