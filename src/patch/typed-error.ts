/** How deep values and sets of fields may be nested: far more than any kind has, far less than the stack holds. */
const deepest = 1_000;

/** A value that does not fit its schema, in the server's words. The request that brought it is refused. */
export class TypedError extends Error {
  override readonly name = "TypedError";
}

/** Throws where there is anything wrong. */
export function requireNone(faults: readonly string[]): void {
  if (faults.length === 0) return;
  throw new TypedError(faults.length === 1 ? `${faults[0]}` : `errors:\n  ${faults.join("\n  ")}`);
}

/** Throws where functions that call themselves should go no deeper. */
export function requireDepth(depth: number): void {
  if (depth > deepest) {
    throw new TypedError(`expected at most ${deepest} levels of nesting, got more`);
  }
}
