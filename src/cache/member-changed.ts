import { saysSame } from "./says-same.ts";
import { SideBySide } from "./side-by-side.ts";
import type { Written } from "./written.ts";

/**
 * Whether a member of one of these names says something else in two objects, or in runs of their members: known at the
 * first that does, and mostly without parsing. `undefined` where they have not the same names in the same order.
 *
 * @param names in ASCII
 */
export function memberChanged(
  before: Written,
  after: Written,
  names: readonly string[],
): boolean | undefined {
  const both = new SideBySide(before, after);
  let found = both.find();
  for (; found; found = both.find()) {
    const named = both.isNamed(names);
    if (named && both.partsInText) return true;
    const value = both.take();
    if (!value) return undefined;
    if (named && !saysSame(value.before, value.after)) return true;
  }
  return found;
}
