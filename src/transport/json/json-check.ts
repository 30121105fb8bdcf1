import { nowhere } from "./json-walk.ts";

/**
 * Objects that are nested deeper than this are rejected. `structuredClone` and `isDeepStrictEqual` of Node overflow the
 * stack below 2,000 levels and `JSON.stringify` below 5,000, in our code and in users'. An API server accepts 10,000.
 */
export const maxDepth = 1000;

/**
 * Validates the compact JSON value that begins at `at`: every literal, number, escape and bracket, without building
 * anything. White space between tokens is rejected, as everywhere in the scanners; `JSON.parse` accepts it.
 *
 * @returns the position after the value, or `nowhere` if it is invalid, incomplete or nested deeper than `maxDepth`
 */
export function endOfJson(bytes: Buffer, at: number): number {
  depth = 0;
  let next = endOfFirstScalar(bytes, at);
  while (next !== nowhere && depth > 0) {
    next = nextValue(bytes, next);
    if (next !== nowhere && depth > 0) next = endOfFirstScalar(bytes, next);
  }
  return next;
}

/** Opens the containers that begin at `at`, up to the first scalar or empty container, and steps over that. */
function endOfFirstScalar(bytes: Buffer, at: number): number {
  let next = at;
  for (;;) {
    const opening = byteAt(bytes, next);
    if (opening !== openBrace && opening !== openBracket) return endOfScalar(bytes, next);
    if (depth === maxDepth) return nowhere;
    if (byteAt(bytes, next + 1) === opening + 2) return next + 2; // the closing bracket's code is 2 higher
    openings[depth++] = opening;
    next = opening === openBrace ? endOfName(bytes, next + 1) : next + 1;
    if (next === nowhere) return nowhere;
  }
}

/** Closes the containers that end at `at`, and steps to the next value. At the end of the JSON, all are closed. */
function nextValue(bytes: Buffer, at: number): number {
  let next = at;
  while (depth > 0) {
    const opening = openings[depth - 1] ?? 0;
    const byte = byteAt(bytes, next);
    next += 1;
    if (byte === comma) return opening === openBrace ? endOfName(bytes, next) : next;
    if (byte !== opening + 2) return nowhere;
    depth -= 1;
  }
  return next;
}

/** Validates the string, number or literal that begins at `at`, and returns the position after it, or `nowhere`. */
export function endOfScalar(bytes: Buffer, at: number): number {
  if (at >= bytes.length) return nowhere;
  switch (bytes[at]) {
    case quote:
      return endOfText(bytes, at + 1);
    case 0x74: // t
      return endOfLiteral(bytes, at, "true");
    case 0x66: // f
      return endOfLiteral(bytes, at, "false");
    case 0x6e: // n
      return endOfLiteral(bytes, at, "null");
    default:
      return endOfNumber(bytes, at);
  }
}

/** Validates a string from `at` on, a position after its opening quote and not within an escape. */
export function endOfText(bytes: Buffer, at: number): number {
  const { length } = bytes;
  let next = at;
  while (next < length) {
    const byte = bytes[next++] ?? 0;
    if (byte === quote) return next;
    if (byte < space) return nowhere;
    if (byte !== backslash) continue;
    next = endOfEscape(bytes, next);
    if (next === nowhere) return nowhere;
  }
  return nowhere;
}

/** @param at the byte after the backslash */
function endOfEscape(bytes: Buffer, at: number): number {
  if (at >= bytes.length) return nowhere;
  const byte = bytes[at] ?? 0;
  if (byte !== 0x75) return escapes.includes(byte) ? at + 1 : nowhere; // not "u"
  const end = at + 5;
  if (end > bytes.length) return nowhere;
  for (let next = at + 1; next < end; next++) if (!isHexDigit(bytes[next] ?? 0)) return nowhere;
  return end;
}

/** Validates the name of a member and the colon after it. @returns the position of the value */
function endOfName(bytes: Buffer, at: number): number {
  if (byteAt(bytes, at) !== quote) return nowhere;
  const end = endOfText(bytes, at + 1);
  return end !== nowhere && byteAt(bytes, end) === colon ? end + 1 : nowhere;
}

function endOfLiteral(bytes: Buffer, at: number, literal: string): number {
  const end = at + literal.length;
  if (end > bytes.length) return nowhere;
  for (let next = at; next < end; next++) if (bytes[next] !== literal.charCodeAt(next - at)) return nowhere;
  return end;
}

function endOfNumber(bytes: Buffer, at: number): number {
  let next = bytes[at] === minus ? at + 1 : at;
  next = byteAt(bytes, next) === zero ? next + 1 : endOfDigits(bytes, next);
  if (next !== nowhere && byteAt(bytes, next) === dot) next = endOfDigits(bytes, next + 1);
  if (next === nowhere || (byteAt(bytes, next) | 0x20) !== 0x65) return next; // not "e"
  const sign = byteAt(bytes, next + 1);
  return endOfDigits(bytes, sign === minus || sign === plus ? next + 2 : next + 1);
}

/** Returns the position after one or more digits. */
function endOfDigits(bytes: Buffer, at: number): number {
  let next = at;
  while (isDigit(byteAt(bytes, next))) next += 1;
  return next === at ? nowhere : next;
}

function byteAt(bytes: Buffer, at: number): number {
  return at < bytes.length ? (bytes[at] ?? 0) : 0;
}

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= 0x39;
}

function isHexDigit(byte: number): boolean {
  const lower = byte | 0x20;
  return isDigit(byte) || (lower >= 0x61 && lower <= 0x66);
}

/** The opening brackets around the current value, and their number. They are shared, because a check never yields. */
const openings = new Uint8Array(maxDepth);
let depth = 0;

const escapes: Buffer = Buffer.from('"\\/bfnrt');
const space = 0x20;
const quote = 0x22;
const plus = 0x2b;
const comma = 0x2c;
const minus = 0x2d;
const dot = 0x2e;
const zero = 0x30;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const openBrace = 0x7b;
