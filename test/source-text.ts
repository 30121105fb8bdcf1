/** Replaces comments and quoted strings by spaces, so that lines keep their numbers. */
export function codeOf(text: string): string {
  return text.replace(tokens, (token, comment, quoted) => (comment || quoted ? blank(token) : token));
}

/** Returns the specifiers of all imports and re-exports: static, `import type`, dynamic, and `typeof import("…")`. */
export function importsOf(text: string): string[] {
  const code = text.replace(tokens, (token, _comment, quoted) => (quoted ? token : blank(token)));
  return Array.from(code.matchAll(imports), ([, specifier = ""]) => specifier);
}

/**
 * Matches comments, quoted strings, templates and regular expressions, because each may contain the start of another.
 */
const tokens = new RegExp(
  [
    /(\/\/[^\n]*|\/\*[\s\S]*?\*\/)/, // comment
    /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/, // quoted
    /`(?:\\[\s\S]|[^`\\])*`/, // template
    /(?<=[=(,:[!&|?{};>]\s*|\breturn\s+)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/\w*/, // regular expression
  ]
    .map((part) => part.source)
    .join("|"),
  "g",
);

const imports = /\b(?:from\s*|import\s*\(?\s*)"([^"\n]+)"/g;

function blank(token: string): string {
  return token.replace(/[^\n]/g, " ");
}
