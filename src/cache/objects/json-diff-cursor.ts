import { nowhere, skipMetadataValue } from "../../transport/index.ts";
import { type ByteRange, bytesEqual } from "./byte-range.ts";
import { commonPrefixLength } from "./common-prefix-length.ts";
import { isInsideString } from "./is-inside-string.ts";

/** A value whose bytes differ in two objects. */
export interface ChangedValue {
  readonly before: ByteRange;
  readonly after: ByteRange;
}

/**
 * Moves through the members of two JSON objects in step, without parsing, from one changed member to the next. It
 * relies on two versions of one object mostly having the same members in the same order. Each range is an object, or a
 * run of its members that starts with the brace or comma before a member.
 *
 * ```ts
 * for (let found = cursor.findNext(); found; found = cursor.findNext()) use(cursor.name, cursor.takeValue());
 * ```
 */
export class JsonDiffCursor {
  readonly #beforeBytes: Buffer;
  readonly #afterBytes: Buffer;
  readonly #beforeEnd: number;
  readonly #afterEnd: number;
  /** Positions in both, at the brace or comma before a member. Everything earlier has been compared. */
  #before: number;
  #after: number;
  // Offsets in `#afterBytes` of the member that was found: of its name, its value, and the first byte that differs. Up
  // to that byte both are equal, so the offsets in `#beforeBytes` differ by `#before - #after`.
  #name = 0;
  #value = 0;
  #difference = 0;

  constructor(before: ByteRange, after: ByteRange) {
    this.#beforeBytes = before.bytes;
    this.#afterBytes = after.bytes;
    this.#beforeEnd = before.end;
    this.#afterEnd = after.end;
    this.#before = before.start;
    this.#after = after.start;
  }

  /**
   * Finds the next changed member. Returns false if there is no other, and `undefined` if the objects do not have the
   * same member names in the same order.
   */
  findNext(): boolean | undefined {
    const before = { bytes: this.#beforeBytes, start: this.#before, end: this.#beforeEnd };
    const after = { bytes: this.#afterBytes, start: this.#after, end: this.#afterEnd };
    if (bytesEqual(before, after)) return false;
    const common = commonPrefixLength(before, after);
    if (common === before.end - before.start || common === after.end - after.start) return undefined;
    this.#difference = this.#after + common;
    return this.#findMember() ? true : undefined;
  }

  /** Name of the member that was found. */
  get name(): string {
    return this.#afterBytes.toString("latin1", this.#name, this.#value - 2);
  }

  /** Returns true if the member that was found has one of these names. */
  isNamed(names: readonly string[]): boolean {
    const length = this.#value - 2 - this.#name;
    for (const name of names)
      if (name.length === length && isSpelled(name, this.#afterBytes, this.#name)) return true;
    return false;
  }

  /**
   * True if the values of the member are proven to be different without parsing: the first difference is inside a
   * string, and both bytes there are characters that can be serialized in only one way.
   */
  get differsInsideString(): boolean {
    const difference = this.#difference;
    const beforeByte = this.#beforeBytes[difference + this.#before - this.#after];
    if (!isPlain(this.#afterBytes[difference]) || !isPlain(beforeByte)) return false;
    return isInsideString(this.#afterBytes, difference, this.#value);
  }

  /** Returns the values of the member that was found, and moves behind it. Returns `undefined` like `findNext`. */
  takeValue(): ChangedValue | undefined {
    const offset = this.#before - this.#after;
    const start = this.#value;
    const beforeStart = start + offset;
    const end = skipMetadataValue(this.#afterBytes, start);
    const beforeEnd = skipMetadataValue(this.#beforeBytes, beforeStart);
    if (end === nowhere || end >= this.#afterEnd || beforeEnd === nowhere || beforeEnd >= this.#beforeEnd)
      return undefined;
    this.#before = beforeEnd;
    this.#after = end;
    return {
      before: { bytes: this.#beforeBytes, start: beforeStart, end: beforeEnd },
      after: { bytes: this.#afterBytes, start, end },
    };
  }

  /** Steps from member to member up to the one whose value contains the difference. Returns false if a name differs. */
  #findMember(): boolean {
    const bytes = this.#afterBytes;
    const difference = this.#difference;
    let at = this.#after;
    if (bytes[at] !== comma && bytes[at] !== openBrace) return false;
    for (;;) {
      const value = valueAfter(bytes, at + 1, difference);
      const end = value === nowhere ? nowhere : endAfter(bytes, value, difference);
      if (end === nowhere) return false;
      if (end >= difference) {
        this.#name = at + 2;
        this.#value = value;
        return true;
      }
      if (bytes[end] !== comma) return false;
      at = end;
    }
  }
}

/** Returns the start of the value whose quoted name is at `at`, or `nowhere` if that is after `max`. */
function valueAfter(bytes: Buffer, at: number, max: number): number {
  if (bytes[at] !== quote) return nowhere;
  for (let next = at + 1; next < max - 1; next++) {
    const byte = bytes[next];
    if (byte === backslash) return nowhere;
    if (byte === quote) return bytes[next + 1] === colon ? next + 2 : nowhere;
  }
  return nowhere;
}

/**
 * Returns the end of the value at `at`. If the value is proven to reach `enough`, it may return an earlier offset from
 * there on: the first closing bracket is found much faster than the matching one.
 */
function endAfter(bytes: Buffer, at: number, enough: number): number {
  const opening = bytes[at];
  if (opening === openBrace || opening === openBracket) {
    const closing = bytes.indexOf(opening + 2, at); // in ASCII, } is { + 2, and ] is [ + 2
    if (closing >= enough) return closing;
  }
  return skipMetadataValue(bytes, at);
}

function isSpelled(name: string, bytes: Buffer, start: number): boolean {
  for (let at = 0; at < name.length; at++) if (bytes[start + at] !== name.charCodeAt(at)) return false;
  return true;
}

/**
 * Returns true for an ASCII byte that starts no escape. Two invalid UTF-8 sequences may decode to the same character.
 */
function isPlain(byte = backslash): boolean {
  return byte !== backslash && byte < 0x80;
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const openBrace = 0x7b;
