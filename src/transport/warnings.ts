import type { ResponseHeaders } from "./transport.ts";

/** Takes what the API server warns of: deprecated versions, unknown fields, policies in warn mode. */
export type OnWarning = (text: string) => void;

/** No more different warnings are remembered than this, so that memory stays bounded. */
const most = 1000;

/** Hands each different warning on once. */
export function warningsOnce(onWarning: OnWarning): OnWarning {
  const seen = new Set<string>();
  return (text) => {
    if (seen.has(text) || seen.size >= most) return;
    seen.add(text);
    onWarning(text);
  };
}

/** The texts of `Warning: 299` headers; other codes are not Kubernetes'. */
export function warningsIn(headers: ResponseHeaders): string[] {
  const value = headers.warning;
  if (value === undefined) return [];
  const texts: string[] = [];
  for (const header of typeof value === "string" ? [value] : value) {
    for (const [, text = ""] of header.matchAll(warning)) if (text !== "") texts.push(unquoted(text));
  }
  return texts;
}

/** `299 agent "text"`, several of which may stand in one header. */
const warning = /(?:^|,)\s*299 \S+ "((?:[^"\\]|\\.)*)"/g;

function unquoted(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}
