import type { ByteRange } from "./byte-range.ts";
import { JsonDiffCursor } from "./json-diff-cursor.ts";
import { jsonEqual } from "./json-equal.ts";

/**
 * Whether a member of one of these names says something else in two objects, or in runs of their members: known at the
 * first that does, and mostly without parsing. `undefined` where they have not the same names in the same order.
 *
 * @param names in ASCII
 */
export function memberChanged(
  before: ByteRange,
  after: ByteRange,
  names: readonly string[],
): boolean | undefined {
  const both = new JsonDiffCursor(before, after);
  let found = both.find();
  for (; found; found = both.find()) {
    const named = both.isNamed(names);
    if (named && both.partsInText) return true;
    const value = both.take();
    if (!value) return undefined;
    if (named && !jsonEqual(value.before, value.after)) return true;
  }
  return found;
}
