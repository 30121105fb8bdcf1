/** The text from `start` to `end`, of ASCII alone. To call for it takes longer than to put a few bytes together here. */
export function asciiText(bytes: Buffer, start: number, end: number): string {
  const codes = codesOf[end - start];
  if (codes === undefined) return bytes.toString("latin1", start, end);
  for (let index = 0; index < codes.length; index++) codes[index] = bytes[start + index] ?? 0;
  return String.fromCharCode(...codes);
}

/** For texts of each length up to where a call is as fast. */
const codesOf = Array.from({ length: 17 }, (_, length) => Array.from({ length }, () => 0));

/**
 * Texts of ASCII of which a few come again and again, as namespaces do: those that came last are taken again, which
 * costs less than to make them, and whoever looks something up by them need not go through their letters again.
 */
export class FewTexts {
  /** Each where its bytes say: of two with the same place, the last. */
  readonly #texts: string[] = Array.from({ length: places }, () => "");

  /** From `start` to `end`. */
  of(bytes: Buffer, start: number, end: number): string {
    if (end - start > longest) return asciiText(bytes, start, end);
    const place = placeOf(bytes, start, end);
    const known = this.#texts[place] ?? "";
    if (known.length === end - start && beginsAt(bytes, start, known)) return known;
    const text = asciiText(bytes, start, end);
    this.#texts[place] = text;
    return text;
  }
}

const places = 256;
/** Bytes. Those that are longer are no names, and not kept. */
const longest = 63;

/** Names that differ do so at their end more often than not. */
function placeOf(bytes: Buffer, start: number, end: number): number {
  let sum = end - start;
  for (let at = Math.max(start, end - 4); at < end; at++) sum = 31 * sum + (bytes[at] ?? 0);
  return sum % places;
}

function beginsAt(bytes: Buffer, start: number, text: string): boolean {
  const { length } = text;
  for (let index = 0; index < length; index++) {
    if (text.charCodeAt(index) !== bytes[start + index]) return false;
  }
  return true;
}
