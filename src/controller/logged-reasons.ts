import { inspect } from "node:util";
import { type Reason, reasonText } from "./reason.ts";

/**
 * Returns copies of reasons for a log line. Readable lines have them in words, JSON lines as objects. The reasons may be
 * released afterwards.
 */
export function loggedReasons(reasons: readonly Reason[]): readonly Reason[] {
  const copies = reasons.map(({ kind, key, event, changed, echo }) => ({ kind, key, event, changed, echo }));
  return Object.defineProperty(copies, inspect.custom, { value: () => copies.map(reasonText).join("; ") });
}
