/**
 * Compares two strings by their UTF-8 bytes, as Go does. JavaScript compares UTF-16 units, which differs only if a
 * surrogate meets a character above U+E000.
 */
export function compareBytes(one: string, other: string): number {
  if (one === other) return 0;
  const natural = one < other ? -1 : 1;
  return surrogate.test(one) || surrogate.test(other) ? compareCodePoints(one, other) : natural;
}

const surrogate = /[\ud800-\udfff]/;

function compareCodePoints(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  for (let at = 0; at < shorter; at++) {
    const difference = rankOf(one.charCodeAt(at)) - rankOf(other.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/** Returns a rank that places surrogates after all other units, as in the order of code points. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
