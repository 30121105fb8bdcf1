import { inspect } from "node:util";

/**
 * Returns what was thrown as an `Error`. Anything can be thrown, also values that throw when they are read, such as a
 * revoked proxy. The result can be read: `name`, `message`, `stack` and `cause` of the error and of the causes that
 * `causesOf` returns.
 */
export function asError(thrown: unknown): Error {
  try {
    if (thrown instanceof Error) {
      if (causesOf(thrown).every(isReadable)) return thrown;
    } else {
      return new Error(typeof thrown === "string" ? thrown : inspect(thrown), { cause: thrown });
    }
  } catch {
    // Reading it throws: only its description is kept.
  }
  return new Error(describe(thrown));
}

/** Returns an error and its causes, outermost first: at most 10, because causes may form a ring. */
export function causesOf(error: unknown): unknown[] {
  const found: unknown[] = [];
  let next = error;
  while (next !== undefined && found.length < maxCauses && !found.includes(next)) {
    found.push(next);
    next = isError(next) ? next.cause : undefined;
  }
  return found;
}

const maxCauses = 10;

/** Like `instanceof Error`, and false for values that cannot be asked, such as a revoked proxy. */
export function isError(value: unknown): value is Error {
  try {
    return value instanceof Error;
  } catch {
    return false;
  }
}

/** Returns a text for any value. Never throws. */
export function describe(value: unknown): string {
  try {
    return inspect(value, { depth: 2, getters: false });
  } catch {
    return `a value of type ${typeof value} that throws when it is printed`;
  }
}

function isReadable(value: unknown): boolean {
  if (!(value instanceof Error)) return true;
  const { name, message, stack } = value;
  return isText(name) && isText(message) && (stack === undefined || isText(stack));
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}
