import { RE2JS } from "re2js";
import type { Pattern } from "./compiled-schema.ts";

/**
 * Compiles a regular expression in the syntax of Go, to be found anywhere in a text.
 *
 * @throws {PatternError} with Go's words for what is wrong with it
 */
export function compilePattern(source: string): Pattern {
  const compiled = compile(source);
  return { source, matches: (text) => compiled.matcher(text).find() };
}

/** An expression that cannot be compiled. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}

function compile(source: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    throw new PatternError(goText(error), { cause: error });
  }
}

/** The library has Go's sentences, but for one that Go ends with the part it is about, which is empty. */
function goText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.endsWith("trailing backslash at end of expression") ? `${text}: \`\`` : text;
}
