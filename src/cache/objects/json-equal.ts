import { isDeepStrictEqual } from "node:util";
import type { ByteRange } from "./byte-range.ts";
import { changedMembers } from "./changed-members.ts";

/**
 * Returns true if two JSON values are equal, in any order of their members. Absent, `null` and empty values are equal.
 * Objects that differ in plain strings, as labels mostly do, are compared without parsing.
 */
export function jsonEqual(one: ByteRange | undefined, other: ByteRange | undefined): boolean {
  const changed = one && other && isObject(one) && isObject(other) ? changedMembers(one, other) : undefined;
  if (!changed) return valuesEqual(parsed(one), parsed(other));
  return changed.every(({ before, after }) => before && after && memberEqual(before, after));
}

/** Compares parsed values like `jsonEqual`. */
export function valuesEqual(one: unknown, other: unknown): boolean {
  return one === other || (isEmpty(one) && isEmpty(other)) || isDeepStrictEqual(one, other);
}

function isObject({ bytes, start }: ByteRange): boolean {
  return bytes[start] === openBrace;
}

/** Compares two members whose bytes differ. */
function memberEqual(one: ByteRange, other: ByteRange): boolean {
  if (isPlainString(one) && isPlainString(other)) return false;
  return isDeepStrictEqual(parsed(one), parsed(other));
}

/** Returns true for a string that can be serialized in only one way: no escapes, only ASCII. */
function isPlainString({ bytes, start, end }: ByteRange): boolean {
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
