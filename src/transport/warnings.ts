import type { ResponseHeaders } from "./transport.ts";

/** Takes what the API server warns of: deprecated versions, unknown fields, policies in warn mode. */
export type OnWarning = (text: string) => void;

/** So many different warnings are remembered, so that memory stays bounded. */
const most = 1000;

/** Hands each different warning on once. One that has not come among the last thousand different ones counts as new. */
export function warningsOnce(onWarning: OnWarning): OnWarning {
  /** From the one that has not come for longest to the latest. */
  const seen = new Set<string>();
  return (text) => {
    const known = seen.delete(text);
    seen.add(text);
    const [oldest = text] = seen;
    if (seen.size > most) seen.delete(oldest);
    if (!known) onWarning(text);
  };
}

/** The texts of `Warning: 299` headers; other codes are not Kubernetes'. What cannot be read ends its header. */
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

/** `299 agent "text" "date"`, the date optional, at the start or right after another one and its comma. */
const warning = /\s*(\d{3}) \S+ "((?:[^"\\]|\\.)*)"(?:\s*"[^"]*")?\s*(?:,|$)/gy;

/** Header values come with a character for each byte; Kubernetes writes UTF-8. */
function asUtf8(text: string): string {
  const decoded = Buffer.from(text, "latin1").toString("utf8");
  return decoded.includes("\ufffd") ? text : decoded;
}
