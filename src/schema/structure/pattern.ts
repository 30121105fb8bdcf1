import { RE2JS } from "re2js";
import type { Pattern } from "./compiled-schema.ts";

/**
 * Compiles a regular expression in Go's syntax. It may match anywhere in a text.
 *
 * @throws {PatternError} with Go's message
 */
export function compilePattern(source: string): Pattern {
  const compiled = compile(source);
  return { source, matches: (text) => compiled.matcher(text).find() };
}

/** Thrown for a regular expression that cannot be compiled. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}

function compile(source: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    throw new PatternError(messageOf(error), { cause: error });
  }
}

/**
 * Returns Go's message. The library has the same messages, except that Go appends the offending part, which is empty
 * here.
 */
function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.endsWith("trailing backslash at end of expression") ? `${text}: \`\`` : text;
}
