import { nowhere, skipMetadataValue } from "../transport/index.ts";
import { type ByteRange, bytesEqual } from "./byte-range.ts";
import { commonPrefixLength } from "./common-prefix-length.ts";
import { isInsideString } from "./is-inside-string.ts";

/** A value that is not written alike in two objects. */
export interface ChangedValue {
  readonly before: ByteRange;
  readonly after: ByteRange;
}

/**
 * The members of two objects, gone over at once and without parsing: two versions of one object have mostly the same
 * members in the same order. It goes from one that is not written alike to the next: `find`, then `take`.
 *
 * Each is an object, or a run of its members that begins with the brace or comma before one.
 */
export class JsonDiffCursor {
  readonly #olds: Buffer;
  readonly #nows: Buffer;
  readonly #oldEnd: number;
  readonly #nowEnd: number;
  /** How far each is: at the brace or the comma before a member. */
  #old: number;
  #now: number;
  // Of the member that was found, in the newer: where its name begins, its value, and what is not the same.
  #name = 0;
  #value = 0;
  #parting = 0;

  constructor(before: ByteRange, after: ByteRange) {
    this.#olds = before.bytes;
    this.#nows = after.bytes;
    this.#oldEnd = before.end;
    this.#nowEnd = after.end;
    this.#old = before.start;
    this.#now = after.start;
  }

  /**
   * Whether there is one more that is not written alike, from here on. `undefined` where they have not the same names in
   * the same order.
   */
  find(): boolean | undefined {
    const before = { bytes: this.#olds, start: this.#old, end: this.#oldEnd };
    const after = { bytes: this.#nows, start: this.#now, end: this.#nowEnd };
    if (bytesEqual(before, after)) return false;
    const same = commonPrefixLength(before, after);
    if (same === before.end - before.start || same === after.end - after.start) return undefined;
    this.#parting = this.#now + same;
    return this.#findMember() ? true : undefined;
  }

  /** Of what was found. */
  get name(): string {
    return this.#nows.toString("latin1", this.#name, this.#value - 2);
  }

  /** Whether what was found has one of these names. */
  isNamed(names: readonly string[]): boolean {
    const length = this.#value - 2 - this.#name;
    for (const name of names)
      if (name.length === length && isSpelled(name, this.#nows, this.#name)) return true;
    return false;
  }

  /**
   * Whether what was found is proven to say something else: they part in a text, at what each can write in one way alone.
   * All before that is the same, so the text is the value of the same in both.
   */
  get partsInText(): boolean {
    const parting = this.#parting;
    if (!isPlain(this.#nows[parting]) || !isPlain(this.#olds[parting + this.#old - this.#now])) return false;
    return isInsideString(this.#nows, parting, this.#value);
  }

  /** The value of what was found. Goes on to its end. `undefined` as in `find`. */
  take(): ChangedValue | undefined {
    const ahead = this.#old - this.#now;
    const start = this.#value;
    const oldStart = start + ahead;
    const end = skipMetadataValue(this.#nows, start);
    const oldEnd = skipMetadataValue(this.#olds, oldStart);
    if (end === nowhere || end >= this.#nowEnd || oldEnd === nowhere || oldEnd >= this.#oldEnd)
      return undefined;
    this.#old = oldEnd;
    this.#now = end;
    return {
      before: { bytes: this.#olds, start: oldStart, end: oldEnd },
      after: { bytes: this.#nows, start, end },
    };
  }

  /** Goes from member to member, up to the one in whose value they part. */
  #findMember(): boolean {
    const bytes = this.#nows;
    const parting = this.#parting;
    let at = this.#now;
    if (bytes[at] !== comma && bytes[at] !== openBrace) return false;
    for (;;) {
      const value = valueAfter(bytes, at + 1, parting);
      const end = value === nowhere ? nowhere : endAfter(bytes, value, parting);
      if (end === nowhere) return false;
      if (end >= parting) {
        this.#name = at + 2;
        this.#value = value;
        return true;
      }
      if (bytes[end] !== comma) return false;
      at = end;
    }
  }
}

/** Where the value begins whose name, in quotes, is at `at`, if that is no later than `most`. */
function valueAfter(bytes: Buffer, at: number, most: number): number {
  if (bytes[at] !== quote) return nowhere;
  for (let next = at + 1; next < most - 1; next++) {
    const byte = bytes[next];
    if (byte === backslash) return nowhere;
    if (byte === quote) return bytes[next + 1] === colon ? next + 2 : nowhere;
  }
  return nowhere;
}

/** Where the value that begins at `at` ends, or how far it goes at least, where that is as far as `enough`. */
function endAfter(bytes: Buffer, at: number, enough: number): number {
  const opening = bytes[at];
  if (opening === openBrace || opening === openBracket) {
    const closing = bytes.indexOf(opening + 2, at); // as } is to {, and ] to [
    if (closing >= enough) return closing;
  }
  return skipMetadataValue(bytes, at);
}

function isSpelled(name: string, bytes: Buffer, start: number): boolean {
  for (let at = 0; at < name.length; at++) if (bytes[start + at] !== name.charCodeAt(at)) return false;
  return true;
}

/** No escape, and no part of a sign of several bytes: where they make no sign, any is read as any other. */
function isPlain(byte = backslash): boolean {
  return byte !== backslash && byte < 0x80;
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const openBrace = 0x7b;
