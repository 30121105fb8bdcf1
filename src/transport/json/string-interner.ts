/**
 * Decodes the ASCII text from `start` to `end`. For a few bytes this is faster than `Buffer.toString`, which calls into
 * C++.
 */
export function asciiText(bytes: Buffer, start: number, end: number): string {
  const codes = codesByLength[end - start];
  if (codes === undefined) return bytes.toString("latin1", start, end);
  for (let index = 0; index < codes.length; index++) codes[index] = bytes[start + index] ?? 0;
  return String.fromCharCode(...codes);
}

/** Reused arrays of character codes, one per length, up to the length at which `Buffer.toString` is as fast. */
const codesByLength = Array.from({ length: 17 }, (_, length) => Array.from({ length }, () => 0));

/**
 * Returns the same string object for equal ASCII bytes, for values that repeat often, such as namespaces.
 *
 * Reusing a string is cheaper than creating it, and its hash is already computed when it is used as a `Map` key. The
 * interner has a fixed number of slots, so memory is bounded.
 */
export class StringInterner {
  /** One slot per hash. A string replaces the previous string of its slot. */
  readonly #slots: string[] = Array.from({ length: slotCount }, () => "");

  /** Returns the text from `start` to `end`. */
  intern(bytes: Buffer, start: number, end: number): string {
    if (end - start > maxLength) return asciiText(bytes, start, end);
    const slot = slotOf(bytes, start, end);
    const known = this.#slots[slot] ?? "";
    if (known.length === end - start && isTextAt(bytes, start, known)) return known;
    const text = asciiText(bytes, start, end);
    this.#slots[slot] = text;
    return text;
  }
}

const slotCount = 256;
/** In bytes. Longer texts are not Kubernetes names and are not interned. */
const maxLength = 63;

/** Hashes the length and the last four bytes, because similar names usually differ at the end. */
function slotOf(bytes: Buffer, start: number, end: number): number {
  let sum = end - start;
  for (let at = Math.max(start, end - 4); at < end; at++) sum = 31 * sum + (bytes[at] ?? 0);
  return sum % slotCount;
}

function isTextAt(bytes: Buffer, start: number, text: string): boolean {
  const { length } = text;
  for (let index = 0; index < length; index++) {
    if (text.charCodeAt(index) !== bytes[start + index]) return false;
  }
  return true;
}
