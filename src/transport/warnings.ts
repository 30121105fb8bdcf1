import type { ResponseHeaders } from "./transport.ts";

/** Receives a warning of the API server, about deprecated versions, unknown fields or policies in warn mode. */
export type OnWarning = (text: string) => void;

/** Maximum number of remembered warnings, so that memory is bounded. */
const maxRemembered = 1000;

/** Returns a function that passes each different warning on once. It remembers the last thousand different warnings. */
export function warningsOnce(onWarning: OnWarning): OnWarning {
  /** From the least recent to the most recent. */
  const seen = new Set<string>();
  return (text) => {
    const known = seen.delete(text);
    seen.add(text);
    const [oldest = text] = seen;
    if (seen.size > maxRemembered) seen.delete(oldest);
    if (!known) onWarning(text);
  };
}

/**
 * Returns the texts of `Warning: 299` headers. Kubernetes uses no other code. The rest of a malformed header is
 * ignored.
 */
export function warningsIn(headers: ResponseHeaders): string[] {
  const value = headers.warning;
  if (value === undefined) return [];
  const texts: string[] = [];
  for (const header of typeof value === "string" ? [value] : value) {
    for (const [, code, text = ""] of header.matchAll(warning)) {
      if (code === "299" && text !== "") texts.push(asUtf8(text.replace(/\\(.)/g, "$1")));
    }
  }
  return texts;
}

/** Matches `299 agent "text" "date"` with an optional date, at the start of the header or after a comma. */
const warning = /\s*(\d{3}) \S+ "((?:[^"\\]|\\.)*)"(?:\s*"[^"]*")?\s*(?:,|$)/gy;

/** Decodes a header value: Node returns one character per byte, and Kubernetes writes UTF-8. */
function asUtf8(text: string): string {
  const decoded = Buffer.from(text, "latin1").toString("utf8");
  return decoded.includes("\ufffd") ? text : decoded;
}
