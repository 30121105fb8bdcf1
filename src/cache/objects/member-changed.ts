import type { ByteRange } from "./byte-range.ts";
import { JsonDiffCursor } from "./json-diff-cursor.ts";
import { jsonEqual } from "./json-equal.ts";

/**
 * Returns true if a member with one of these names has different values in two objects, or in runs of their members. It
 * stops at the first such member, and mostly parses nothing. Returns `undefined` if the objects do not have the same
 * member names in the same order.
 *
 * @param names ASCII only
 */
export function memberChanged(
  before: ByteRange,
  after: ByteRange,
  names: readonly string[],
): boolean | undefined {
  const cursor = new JsonDiffCursor(before, after);
  let found = cursor.findNext();
  for (; found; found = cursor.findNext()) {
    const named = cursor.isNamed(names);
    if (named && cursor.differsInsideString) return true;
    const value = cursor.takeValue();
    if (!value) return undefined;
    if (named && !jsonEqual(value.before, value.after)) return true;
  }
  return found;
}
