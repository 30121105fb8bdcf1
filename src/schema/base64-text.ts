/** A text that is no base64, in Go's words. */
export class Base64Error extends Error {
  override readonly name = "Base64Error";

  constructor(offset: number) {
    super(`illegal base64 data at input byte ${offset}`);
  }
}

/**
 * Base64 as Kubernetes stores it: without line breaks, and with nothing in the bits that count for no byte.
 *
 * @throws {Base64Error} if the text is no padded base64
 */
export function canonicalBase64(text: string): string {
  const offset = firstFault(text);
  if (offset !== undefined) throw new Base64Error(offset);
  return Buffer.from(text, "base64").toString("base64");
}

/** Where a text stops being base64. Characters come in fours; in the last four one or two may be padding. */
function firstFault(text: string): number | undefined {
  let start = 0;
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === "\n" || character === "\r") continue;
    if (character === "=") return paddingFault(text, at, count);
    if (!/^[A-Za-z0-9+/]$/.test(character)) return at;
    if (count === 0) start = at;
    count = (count + 1) % 4;
  }
  return count === 0 ? undefined : start;
}

/** Padding stands for the third or fourth character, and nothing follows it. */
function paddingFault(text: string, at: number, count: number): number | undefined {
  if (count < 2) return at;
  let next = skipBreaks(text, at + 1);
  if (count === 2) {
    if (next >= text.length) return text.length;
    if (text[next] !== "=") return next - 1;
    next = skipBreaks(text, next + 1);
  }
  return next < text.length ? next : undefined;
}

function skipBreaks(text: string, from: number): number {
  let at = from;
  while (text[at] === "\n" || text[at] === "\r") at++;
  return at;
}
