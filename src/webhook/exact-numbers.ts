import type { JsonPatchStep } from "../client/index.ts";

/**
 * Throws if a patch contains an integer from 2^53 up to 2^64: JavaScript rounds it when it parses the object, and the
 * patch would store the rounded value. Fields that a handler leaves alone are not part of the patch.
 *
 * @throws {RangeError} with the path of the patch step
 */
export function checkExactNumbers(steps: readonly JsonPatchStep[]): void {
  for (const step of steps) {
    if (!("value" in step)) continue;
    const found = inexactIn(step.value);
    if (found === undefined) continue;
    throw new RangeError(
      `expected integers below 2^53 in the patch of a webhook, got ${found} at ${step.path}, ` +
        "whose last digits may have been lost when it was read",
    );
  }
}

function inexactIn(value: unknown): number | undefined {
  if (typeof value === "number") return isInexact(value) ? value : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const each of Object.values(value)) {
    const found = inexactIn(each);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isInexact(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 2 ** 64;
}
