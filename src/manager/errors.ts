import { causesOf, isError } from "../base/index.ts";
import { ConfigError } from "../client/index.ts";
import { LeadershipLostError } from "../election/index.ts";

/** Returns true if the signal has aborted and the error, or one of its causes, is its reason or an AbortError. */
export function isAbortedBy(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  return causesOf(error).some(
    (each) => each === signal.reason || (isError(each) && each.name === "AbortError"),
  );
}

/**
 * Returns an error without stack and causes if it is a configuration error or a lost lease. Node would print both for
 * an uncaught error, although the message is all that the user needs.
 */
export function userFacingError(error: unknown): unknown {
  if (error instanceof ConfigError) return new ConfigError(error.problems);
  if (error instanceof LeadershipLostError) return withoutStack(new LeadershipLostError(error.message));
  return error;
}

/** Removes the stack of an error, so that Node prints only its message. */
export function withoutStack(error: Error): Error {
  error.stack = `${error.name}: ${error.message}`;
  return error;
}
