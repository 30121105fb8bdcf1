/**
 * Returns `value` as JSON for the server.
 *
 * It refuses integers from 2^53 up to 2^64, which JavaScript cannot represent exactly: `JSON.parse` has already rounded
 * them when the object was read (9007199254740993 becomes 9007199254740992), and the write would store the rounded
 * value. The check costs one scan of the text, and nothing on reads. Exact numbers would slow down every read and need
 * another type than `number`. Larger numbers are floating-point numbers to an API server, and stay the same.
 *
 * @throws {RangeError} with the path of the number
 */
export function jsonBody(value: unknown): string {
  const text = JSON.stringify(value);
  if (!longNumber.test(text)) return text;
  const found = inexactNumber(JSON.parse(text), "");
  if (!found) return text;
  throw new RangeError(
    `expected integers below 2^53, which JavaScript represents exactly, got ${found.value} at ${found.path}, ` +
      "whose last digits may have been lost when it was read: write only the other fields, with patch or apply",
  );
}

/** Matches the number of digits of 2^53. Such digits may also be part of a string, so a match needs the full check. */
const longNumber = /[0-9]{16}/;

interface InexactNumber {
  readonly path: string;
  readonly value: number;
}

function inexactNumber(value: unknown, path: string): InexactNumber | undefined {
  if (typeof value === "number") return isInexact(value) ? { path: path || "the top", value } : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const found = inexactNumber(member, Array.isArray(value) ? `${path}[${key}]` : pathTo(path, key));
    if (found) return found;
  }
  return undefined;
}

function isInexact(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 2 ** 64;
}

function pathTo(path: string, key: string): string {
  if (!/^[\w-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}
