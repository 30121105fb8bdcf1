import { endOfScalar, endOfText, endOfValue, nowhere } from "../transport/index.ts";
import { type ByteRange, bytesEqual } from "./byte-range.ts";

/** JSON that can be read eight bytes at a time. */
export interface ReadableJson extends ByteRange {
  readonly words: DataView;
  /** For each byte within a string, where that string ends, from `start`; 0 for other bytes. See `stringEnds`. */
  readonly stringEnds?: Uint16Array | undefined;
}

/**
 * Whether `candidate` is proven to be valid JSON because it differs from `valid`, which is valid compact JSON, only in
 * strings and other scalars. Objects of one kind mostly do, so that this proof takes a quarter of the time of `endOfJson`.
 * `false` proves nothing.
 *
 * Both are read in step. At each difference both stand at the same place in the same containers, so it is enough to validate
 * the scalar of the candidate, and to go on behind both scalars. No value gets deeper by that.
 */
export function differsInScalars(valid: ReadableJson, candidate: ReadableJson): boolean {
  const one = new Cursor(valid);
  const other = new Cursor(candidate);
  for (;;) {
    if (!skipCommon(one, other)) return false; // behind a scalar, the same bracket or comma has to follow
    if (one.atEnd || other.atEnd) return one.atEnd && other.atEnd;
    if (!skipScalars(one, other)) return false;
    // A new version mostly has one difference or two. Comparing the rest is then much faster in native code.
    if (!valid.stringEnds && bytesEqual(one.rest, other.rest)) return true;
  }
}

class Cursor {
  readonly json: ReadableJson;
  at: number;

  constructor(json: ReadableJson) {
    this.json = json;
    this.at = json.start;
  }

  get atEnd(): boolean {
    return this.at === this.json.end;
  }

  get rest(): ByteRange {
    const { bytes, end } = this.json;
    return { bytes, start: this.at, end };
  }
}

/** Moves both behind the scalars in which they differ. @returns whether there are such scalars */
function skipScalars(one: Cursor, other: Cursor): boolean {
  const { json: valid, at } = one;
  const { bytes } = other.json;
  const stringEnd = valid.stringEnds?.[at - valid.start] ?? 0;
  const scalar = stringEnd > 0 ? inString : startOfScalar(valid, at);
  if (scalar === nowhere) return false;
  if (scalar === inString) {
    one.at = stringEnd > 0 ? valid.start + stringEnd : endOfText(valid.bytes, at);
    other.at = endOfText(bytes, other.at);
  } else {
    one.at = endOfValue(valid.bytes, scalar);
    other.at = endOfScalar(bytes, other.at - (at - scalar));
  }
  return one.at !== nowhere && other.at !== nowhere && other.at <= other.json.end;
}

/**
 * Finds the strings of valid JSON of at most 64 KiB. It takes as long as three comparisons, and makes each later one with this
 * JSON a third faster. Strings with escapes are left out.
 */
export function stringEnds({ bytes, start, end }: ByteRange): Uint16Array {
  const ends = new Uint16Array(end - start);
  let next = bytes.indexOf(quote, start);
  while (next !== nowhere && next < end) {
    const text = next + 1;
    next = endOfText(bytes, text);
    const escaped = bytes.subarray(text, next).includes(backslash);
    if (!escaped) ends.fill(next - start, text - start, next - start);
    next = bytes.indexOf(quote, next);
  }
  return ends;
}

/** Instead of the start of a value: the byte lies within a string, and not within an escape. */
const inString = -2;

/**
 * Where the scalar begins that the byte at `at` is part of: `inString`, or `nowhere` if the bytes before do not prove it.
 *
 * The proof needs only the last quote before `at`. A quote that opens a string follows `:`, `,`, `[` or `{`, and one that closes
 * a string precedes `:`, `,`, `]` or `}`. Neither proves anything where both hold, as in `":"`.
 */
function startOfScalar({ bytes, start }: ByteRange, at: number): number {
  const last = lastQuote(bytes, at, start);
  if (last === nowhere) return nowhere;
  if (!precedesValue(bytes[last - 1] ?? 0)) return startOfValue(bytes, at);
  return followsValue(bytes[last + 1] ?? 0) ? nowhere : inString;
}

/** The last quote before `at`. `nowhere` if it may be escaped, or if the byte at `at` may be part of an escape. */
function lastQuote(bytes: Buffer, at: number, start: number): number {
  for (let back = at - 1; back > start; back--) {
    const byte = bytes[back];
    if (byte === quote) return bytes[back - 1] === backslash ? nowhere : back;
    if (byte === backslash && at - back < longestEscape) return nowhere;
  }
  return nowhere;
}

/** Where the number or literal begins that the byte at `at`, which is in no string, is part of or stands in place of. */
function startOfValue(bytes: Buffer, at: number): number {
  let start = at;
  while (isPartOfWord(bytes[start - 1] ?? 0)) start -= 1;
  const before = bytes[start - 1];
  if (before === colon || before === openBracket) return start;
  // After a comma, a string may be the name of a member. Anything else is an element of an array.
  return before === comma && bytes[start] !== quote ? start : nowhere;
}

function precedesValue(byte: number): boolean {
  return byte === colon || byte === comma || byte === openBracket || byte === openBrace;
}

function followsValue(byte: number): boolean {
  return byte === colon || byte === comma || byte === closeBracket || byte === closeBrace;
}

/** Of a number, or of `true`, `false` or `null`. */
function isPartOfWord(byte: number): boolean {
  const lower = byte | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (byte >= 0x2b && byte <= 0x39 && byte !== comma);
}

/** Moves both to where they differ, or to the end of one. @returns whether they had any byte in common */
function skipCommon(one: Cursor, other: Cursor): boolean {
  const { bytes, words, end } = one.json;
  const { bytes: otherBytes, words: otherWords, end: otherEnd } = other.json;
  const ahead = other.at - one.at;
  const last = Math.min(end, otherEnd - ahead);
  let at = one.at;
  while (at + 8 <= last && words.getFloat64(at, true) === otherWords.getFloat64(at + ahead, true)) at += 8;
  while (at < last && bytes[at] === otherBytes[at + ahead]) at += 1;
  const moved = at > one.at;
  one.at = at;
  other.at = at + ahead;
  return moved;
}

const longestEscape = "\\u0000".length;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
