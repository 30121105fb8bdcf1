/**
 * Orders two resource versions of one resource type: negative when `a` is older, 0 when they are equal, positive when
 * `a` is newer. They are compared as decimal numbers of any length and never turned into one.
 *
 * Throws for anything that is not a decimal number without leading zeros, such as `""`: there is no order then.
 */
export function compareResourceVersions(a: string, b: string): number {
  check(a);
  check(b);
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Whether `a` is a later version than `b`. */
export function isNewer(a: string, b: string): boolean {
  return compareResourceVersions(a, b) > 0;
}

function check(version: string): void {
  if (isResourceVersion(version)) return;
  throw new TypeError(
    `expected a resourceVersion as a decimal number without leading zeros, got ${JSON.stringify(version)}`,
  );
}

/** Runs once for each watch event, so it looks at characters rather than at a pattern. */
function isResourceVersion(version: string): boolean {
  const first = version.charCodeAt(0);
  if (!(first >= 49 && first <= 57)) return version === "0";
  for (let at = 1; at < version.length; at++) {
    const code = version.charCodeAt(at);
    if (code < 48 || code > 57) return false;
  }
  return true;
}
