import type { ServerRequest } from "./exchange.ts";

/** Stands between the values of a header that came more than once and may have commas in each: no header has it. */
export const valueSeparator = "\n";

/** Headers as the server takes them: one text for each, its values joined by commas, or where each counts by `valueSeparator`. */
export function joinedHeaders(
  headers: Iterable<readonly [name: string, value: string | readonly string[] | undefined]>,
): ServerRequest["headers"] {
  const texts: Record<string, string | undefined> = {};
  for (const [given, value] of headers) {
    const name = given.toLowerCase();
    const separator = name.startsWith("impersonate-") ? valueSeparator : ", ";
    texts[name] = typeof value === "object" ? value.join(separator) : value;
  }
  return texts;
}
