/**
 * Steps over JSON as bytes, without building anything. It supports only compact JSON, as API servers write it. White
 * space between tokens, an escaped key or truncated JSON gives `nowhere`, and the caller falls back to `JSON.parse`.
 * Skipped bytes are not validated; the later parser does that.
 */

/** Returned instead of a position: the bytes are not compact JSON as servers write it. */
export const nowhere = -1;
/** Returned instead of a position: the visitor has stopped the walk. */
export const stopWalk = -2;

/**
 * Called for each member with the positions of its key and its value. Returns the end of the value, `stopWalk` or
 * `nowhere`. A quote and a colon separate them: the key ends two bytes before the value.
 */
export type OnMember = (key: number, value: number) => number;

/** Visits the members of the object at `at`. @returns the end of the object, `stopWalk` or `nowhere` */
export function walkObject(bytes: Buffer, at: number, onMember: OnMember): number {
  if (bytes[at] !== openBrace) return nowhere;
  if (bytes[at + 1] === closeBrace) return at + 2;
  for (let next = at + 1; ; next += 1) {
    const value = valueAfter(bytes, next);
    if (value === nowhere) return nowhere;
    next = onMember(next + 1, value);
    if (next < 0) return next;
    if (bytes[next] === closeBrace) return next + 1;
    if (bytes[next] !== comma) return nowhere;
  }
}

/** Visits the elements of the array at `at`: the visitor receives the start of each element and returns its end. */
export function walkArray(bytes: Buffer, at: number, onElement: (start: number) => number): number {
  if (bytes[at] !== openBracket) return nowhere;
  if (bytes[at + 1] === closeBracket) return at + 2;
  for (let next = at + 1; ; next += 1) {
    next = onElement(next);
    if (next < 0) return next;
    if (bytes[next] === closeBracket) return next + 1;
    if (bytes[next] !== comma) return nowhere;
  }
}

/** Returns the end of the value that begins at `at`. */
export function endOfValue(bytes: Buffer, at: number): number {
  const first = bytes[at];
  if (first === quote) return endOfString(bytes, at + 1);
  if (first === openBrace || first === openBracket) return endOfNested(bytes, at);
  return endOfLiteral(bytes, at);
}

/**
 * Returns the end of the array or object at `at` if it contains no bracket of the same kind, as `managedFields` and
 * labels do. It searches for the closing bracket and proves that this bracket is not inside a string, without reading
 * the rest. Returns `nowhere` if it cannot prove that.
 *
 * The proof looks at the last quote before the bracket. A quote after a backslash may be escaped, and a quote after a
 * bracket, comma or colon may open a string. After any other byte it closes a string, so everything behind it is
 * outside of strings.
 */
export function endOfFlat(bytes: Buffer, at: number): number {
  const opening = bytes[at];
  if (opening !== openBrace && opening !== openBracket) return nowhere;
  const end = bytes.indexOf(opening + 2, at + 1); // the closing bracket's code is 2 higher
  const nested = bytes.indexOf(opening, at + 1);
  if (end === -1 || (nested !== -1 && nested < end)) return nowhere;
  let back = end - 1;
  while (bytes[back] !== quote && back > at) back -= 1;
  return back > at && closes(bytes[back - 1]) ? end + 1 : nowhere;
}

/**
 * Returns the end of a value within `metadata`. It is like `endOfValue`, but faster for flat values, which are usual
 * there.
 */
export function skipMetadataValue(bytes: Buffer, at: number): number {
  const first = bytes[at];
  if (first === quote) return endOfString(bytes, at + 1);
  if (first !== openBrace && first !== openBracket) return endOfLiteral(bytes, at);
  const flat = endOfFlat(bytes, at);
  return flat === nowhere ? endOfNested(bytes, at) : flat;
}

/** Returns true if a quote after this byte certainly closes a string. */
function closes(before = 0): boolean {
  if (before <= space || before === backslash || before === comma) return false;
  return before !== colon && before !== openBrace && before !== openBracket;
}

/**
 * Returns the end of the string at `at` if it is ASCII without escapes, so that its bytes are its text. Returns
 * `nowhere` for anything else, which needs a parser.
 */
export function endOfPlain(bytes: Buffer, at: number): number {
  const { length } = bytes;
  if (bytes[at] !== quote) return nowhere;
  for (let next = at + 1; next < length; next++) {
    const byte = bytes[next] ?? 0;
    if (byte === quote) return next + 1;
    if (byte === backslash || byte >= 0x80) return nowhere;
  }
  return nowhere;
}

/** Returns the start of the value whose quoted key is at `at`. */
export function valueAfter(bytes: Buffer, at: number): number {
  if (bytes[at] !== quote) return nowhere;
  for (let next = at + 1; next < bytes.length; next++) {
    const byte = bytes[next];
    if (byte === quote) return bytes[next + 1] === colon ? next + 2 : nowhere;
    if (byte === backslash) return nowhere;
  }
  return nowhere;
}

/** Returns the end of the string whose first byte after the quote is at `at`. */
export function endOfString(bytes: Buffer, at: number): number {
  const { length } = bytes;
  for (let next = at; next < length; next++) {
    const byte = bytes[next];
    if (byte === quote) return next + 1;
    if (byte === backslash) next += 1;
  }
  return nowhere;
}

/**
 * Returns the end of the array or object at `at`. Braces and brackets share one counter; the parser checks whether they
 * match.
 *
 * A cache spends much of its CPU time here. The function never reads beyond the end of the buffer: after one such read
 * V8 treats every read as possibly `undefined`, and the function takes three times as long.
 */
function endOfNested(bytes: Buffer, at: number): number {
  const { length } = bytes;
  let depth = 0;
  for (let next = at; next < length; ) {
    switch (bytes[next++] ?? 0) {
      case quote:
        next = endOfString(bytes, next);
        if (next === nowhere) return nowhere;
        break;
      case openBrace:
      case openBracket:
        depth += 1;
        break;
      case closeBrace:
      case closeBracket:
        depth -= 1;
        if (depth === 0) return next;
        break;
    }
  }
  return nowhere;
}

/** Returns the end of a number, `true`, `false` or `null`. */
function endOfLiteral(bytes: Buffer, at: number): number {
  for (let next = at; next < bytes.length; next++) {
    const byte = bytes[next];
    if (byte === comma || byte === closeBrace || byte === closeBracket) return next === at ? nowhere : next;
  }
  return nowhere;
}

const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
