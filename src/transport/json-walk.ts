/**
 * Steps over JSON as bytes, without building anything. Compact JSON alone, as API servers write it: white space between
 * tokens, an escaped key or an end too early is `nowhere`, and the caller parses the whole in the plain way.
 * What it steps over is not checked to be JSON: whoever parses it later does that.
 */

/** Instead of a position: this is not what a server writes. */
export const nowhere = -1;
/** Instead of a position: the visitor has seen what it came for. */
export const enough = -2;

/**
 * Called for each member with where its key and its value begin; gives where the value ends, or why not to go on.
 * Between the two are a quote and a colon: the key ends two bytes before the value.
 */
export type OnMember = (key: number, value: number) => number;

/** Goes over the members of the object at `at`; gives where it ends, or why it did not get there. */
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

/** Goes over the elements of the array at `at`: the visitor is given where each begins, and gives where it ends. */
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

/** Where the value that begins at `at` ends. */
export function endOfValue(bytes: Buffer, at: number): number {
  const first = bytes[at];
  if (first === quote) return endOfString(bytes, at + 1);
  if (first === openBrace || first === openBracket) return endOfNested(bytes, at);
  return endOfWord(bytes, at);
}

/**
 * Where the array or object at `at` ends, for those that have none of their sort in them, as `managedFields` and labels:
 * found by its closing byte and proven by what stands before that, without looking at the rest. `nowhere` where that
 * proves nothing.
 *
 * Going back from there, one comes to a quote. It is no escaped one after a byte that is no backslash, and none that opens
 * a string after a byte after which none does. So it closes one, and what follows it is outside of strings.
 */
export function endOfFlat(bytes: Buffer, at: number): number {
  const opening = bytes[at];
  if (opening !== openBrace && opening !== openBracket) return nowhere;
  const end = bytes.indexOf(opening + 2, at + 1); // as } is to {, and ] to [
  const nested = bytes.indexOf(opening, at + 1);
  if (end === -1 || (nested !== -1 && nested < end)) return nowhere;
  let back = end - 1;
  while (bytes[back] !== quote && back > at) back -= 1;
  return back > at && closes(bytes[back - 1]) ? end + 1 : nowhere;
}

/** As `endOfValue`, for a value within `metadata`: most of what metadata has in it is flat. */
export function skipMetadataValue(bytes: Buffer, at: number): number {
  const first = bytes[at];
  if (first === quote) return endOfString(bytes, at + 1);
  if (first !== openBrace && first !== openBracket) return endOfWord(bytes, at);
  const flat = endOfFlat(bytes, at);
  return flat === nowhere ? endOfNested(bytes, at) : flat;
}

/** Whether a quote after this byte is one that closes a string, whatever else it may be that this byte stands in. */
function closes(before = 0): boolean {
  if (before <= space || before === backslash || before === comma) return false;
  return before !== colon && before !== openBrace && before !== openBracket;
}

/**
 * Where the string at `at` ends, for one that is in the bytes as it is, all of it ASCII. `nowhere` for anything else: to
 * read it takes a parser.
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

/** Where the value begins whose key, in quotes, is at `at`. */
export function valueAfter(bytes: Buffer, at: number): number {
  if (bytes[at] !== quote) return nowhere;
  for (let next = at + 1; next < bytes.length; next++) {
    const byte = bytes[next];
    if (byte === quote) return bytes[next + 1] === colon ? next + 2 : nowhere;
    if (byte === backslash) return nowhere;
  }
  return nowhere;
}

/** Where the string ends whose first byte, after the quote, is at `at`. */
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
 * Braces and brackets are counted as one: whether they match is for the parser.
 *
 * Much of the time of a cache is spent here. It never looks beyond the end of the bytes: once it has, the engine takes
 * all that it reads for what may be `undefined`, and needs three times as long from then on.
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

/** Of a number, `true`, `false` or `null`. */
function endOfWord(bytes: Buffer, at: number): number {
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
