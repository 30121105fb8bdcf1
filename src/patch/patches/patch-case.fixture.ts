import type { JsonObject } from "../../schema/index.ts";
import { PatchError, type PatchFailure } from "./patch-error.ts";

/** A patch and its outcome in kube-apiserver. The title states the behaviour. */
export interface PatchCase {
  readonly title: string;
  readonly document: JsonObject;
  readonly patch: unknown;
  readonly outcome: Outcome;
}

export type Outcome =
  | { readonly result: unknown }
  /** The message is present only if the server sends it. */
  | { readonly failure: PatchFailure; readonly message?: string };

export const rejected: Outcome = { failure: "inapplicable" };

/** Returns the outcome of a patch. */
export function outcomeOf(apply: () => unknown): Outcome {
  try {
    return { result: apply() };
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    const { failure, message } = error;
    return failure === "inapplicable" ? { failure } : { failure, message };
  }
}

/** Freezes a value deeply. */
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

/** Returns nested objects of the given depth: `{ a: { a: ... } }`. */
export function nested(levels: number, innermost: unknown = 1): unknown {
  let value = innermost;
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
}
