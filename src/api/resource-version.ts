/**
 * Compares two resource versions of one resource type: negative if `a` is older, 0 if they are equal, positive if `a`
 * is newer. Compares decimal numbers of any length without converting them.
 *
 * @throws {TypeError} for a string that is not a decimal number without leading zeros, such as `""`, because it has no
 * order
 */
export function compareResourceVersions(a: string, b: string): number {
  check(a);
  check(b);
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Returns true if `a` is newer than `b`. */
export function isNewer(a: string, b: string): boolean {
  return compareResourceVersions(a, b) > 0;
}

function check(version: string): void {
  if (isResourceVersion(version)) return;
  throw new TypeError(
    `expected a resourceVersion as a decimal number without leading zeros, got ${JSON.stringify(version)}`,
  );
}

/** Runs once per watch event, so it checks characters instead of a pattern. */
function isResourceVersion(version: string): boolean {
  const first = version.charCodeAt(0);
  if (!(first >= 49 && first <= 57)) return version === "0";
  for (let index = 1; index < version.length; index++) {
    const code = version.charCodeAt(index);
    if (code < 48 || code > 57) return false;
  }
  return true;
}
