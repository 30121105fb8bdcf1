import { inspect } from "node:util";

/** What was thrown, as an `Error`: abort reasons and thrown values may be anything. */
export function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error(typeof thrown === "string" ? thrown : inspect(thrown), { cause: thrown });
}
