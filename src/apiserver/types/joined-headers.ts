import type { ServerRequest } from "./exchange.ts";

/** Separates the values of repeated headers whose values may contain commas. No header value contains it. */
export const valueSeparator = "\n";

/**
 * Returns one text per header. Repeated headers are joined with commas, `Impersonate-` headers with `valueSeparator`.
 */
export function joinedHeaders(
  headers: Iterable<readonly [name: string, value: string | readonly string[] | undefined]>,
): ServerRequest["headers"] {
  const texts: Record<string, string | undefined> = {};
  for (const [headerName, value] of headers) {
    const name = headerName.toLowerCase();
    const separator = name.startsWith("impersonate-") ? valueSeparator : ", ";
    texts[name] = typeof value === "object" ? value.join(separator) : value;
  }
  return texts;
}
