/** Thrown for a string that is not base64. The message is Go's. */
export class Base64Error extends Error {
  override readonly name = "Base64Error";

  constructor(offset: number) {
    super(`illegal base64 data at input byte ${offset}`);
  }
}

/**
 * Returns base64 in the form that Kubernetes stores: without line breaks and with zeros in the unused bits.
 *
 * @throws {Base64Error} if the string is not padded base64
 */
export function canonicalBase64(text: string): string {
  const offset = firstProblem(text);
  if (offset !== undefined) throw new Base64Error(offset);
  return Buffer.from(text, "base64").toString("base64");
}

/**
 * Returns the offset of the first byte that is not base64. Characters come in groups of four; the last group may end in
 * one or two padding characters.
 */
function firstProblem(text: string): number | undefined {
  let start = 0;
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === "\n" || character === "\r") continue;
    if (character === "=") return paddingProblem(text, at, count);
    if (!/^[A-Za-z0-9+/]$/.test(character)) return at;
    if (count === 0) start = at;
    count = (count + 1) % 4;
  }
  return count === 0 ? undefined : start;
}

/** Returns the offset of invalid padding. Padding replaces the third or fourth character, and nothing follows it. */
function paddingProblem(text: string, at: number, count: number): number | undefined {
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
