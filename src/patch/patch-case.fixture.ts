import type { JsonObject } from "../schema/index.ts";
import { PatchError, type PatchFailure } from "./patch-error.ts";

/** What a real API server makes of a patch: its title says the behaviour. */
export interface PatchCase {
  readonly title: string;
  readonly document: JsonObject;
  readonly patch: unknown;
  readonly outcome: Outcome;
}

export type Outcome =
  | { readonly result: unknown }
  /** The message only where the server sends it. */
  | { readonly failure: PatchFailure; readonly message?: string };

export const rejected: Outcome = { failure: "inapplicable" };

/** What becomes of a patch, with everything handed in frozen: to write to it would throw. */
export function outcomeOf(apply: () => unknown): Outcome {
  try {
    return { result: apply() };
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    const { failure, message } = error;
    return failure === "inapplicable" ? { failure } : { failure, message };
  }
}

/** The value, which nobody can change from now on. */
export function frozen<T>(value: T): T {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== "object" || next === null || Object.isFrozen(next)) continue;
    pending.push(...Object.values(next));
    Object.freeze(next);
  }
  return value;
}

/** One object in another, so many times: `{ a: { a: ... } }`. */
export function nested(levels: number, innermost: unknown = 1): unknown {
  let value = innermost;
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
}
