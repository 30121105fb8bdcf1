import { causesOf, isError } from "../base/index.ts";

/** Returns true if the signal has aborted and the error, or one of its causes, is its reason or an AbortError. */
export function isAbortedBy(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  return causesOf(error).some(
    (each) => each === signal.reason || (isError(each) && each.name === "AbortError"),
  );
}
