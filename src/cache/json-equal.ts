import { isDeepStrictEqual } from "node:util";
import type { ByteRange } from "./byte-range.ts";
import { changedMembers } from "./changed-members.ts";

/**
 * Whether two values in JSON say the same, in whatever order their members are written. What is absent says what is empty
 * says. Of two objects in which plain texts differ, as labels mostly do, nothing is parsed.
 */
export function jsonEqual(one: ByteRange | undefined, other: ByteRange | undefined): boolean {
  const changed = one && other && isObject(one) && isObject(other) ? changedMembers(one, other) : undefined;
  if (!changed) return valuesEqual(parsed(one), parsed(other));
  return changed.every(({ before, after }) => before && after && isSameMember(before, after));
}

/** The same for values that are parsed. */
export function valuesEqual(one: unknown, other: unknown): boolean {
  return one === other || (isEmpty(one) && isEmpty(other)) || isDeepStrictEqual(one, other);
}

function isObject({ bytes, start }: ByteRange): boolean {
  return bytes[start] === openBrace;
}

/** Of members that are not written alike. */
function isSameMember(one: ByteRange, other: ByteRange): boolean {
  if (isPlainText(one) && isPlainText(other)) return false;
  return isDeepStrictEqual(parsed(one), parsed(other));
}

/** Texts that can be written in one way alone. */
function isPlainText({ bytes, start, end }: ByteRange): boolean {
  if (bytes[start] !== quote) return false;
  for (let at = start + 1; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === backslash || byte >= 0x80) return false;
  }
  return true;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function parsed(value: ByteRange | undefined): unknown {
  return value && JSON.parse(value.bytes.toString("utf8", value.start, value.end));
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
