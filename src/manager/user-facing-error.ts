import { ConfigError } from "../client/index.ts";
import { LeadershipLostError } from "../election/index.ts";

/**
 * What a manager ends with and no code is to blame for is told by its message alone: where nobody catches it, Node would
 * print its stack, and those of its causes.
 */
export function userFacingError(error: unknown): unknown {
  if (error instanceof ConfigError) return new ConfigError(error.problems);
  if (error instanceof LeadershipLostError) return withoutStack(new LeadershipLostError(error.message));
  return error;
}

/** The same error, of which Node prints the message and nothing else. */
export function withoutStack(error: Error): Error {
  error.stack = `${error.name}: ${error.message}`;
  return error;
}
