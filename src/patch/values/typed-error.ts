/** Maximum nesting depth of values and sets of fields: far above real objects, far below the stack limit. */
const maxDepth = 1_000;

/** Thrown for a value that does not fit its schema, with the server's message. The request is refused. */
export class TypedError extends Error {
  override readonly name = "TypedError";
}

/** Throws a `TypedError` if there are problems. */
export function requireNone(problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw new TypedError(problems.length === 1 ? `${problems[0]}` : `errors:\n  ${problems.join("\n  ")}`);
}

/** Throws if the depth exceeds the limit of recursive functions. */
export function requireDepth(depth: number): void {
  if (depth > maxDepth) {
    throw new TypedError(`expected at most ${maxDepth} levels of nesting, got more`);
  }
}
