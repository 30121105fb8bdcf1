/**
 * Returns true if the byte at `at` is proven to be a character of its own inside a string that is the value of a
 * member, and not part of an escape. It reads only backward, to the quote that opens the string: that is much less than
 * the whole object. `false` proves nothing.
 *
 * @param from a string that starts before this offset does not count
 */
export function isInsideString(bytes: Buffer, at: number, from: number): boolean {
  for (let back = at - 1; back >= from; back--) {
    const byte = bytes[back];
    if (byte === backslash && at - back < maxEscapeLength) return false;
    if (byte === quote && !isEscaped(bytes, back)) return opensValue(bytes, back);
  }
  return false;
}

/** Returns true if an odd number of backslashes precedes the byte. In JSON, backslashes occur only inside strings. */
function isEscaped(bytes: Buffer, at: number): boolean {
  let first = at;
  while (bytes[first - 1] === backslash) first -= 1;
  return (at - first) % 2 === 1;
}

/**
 * Returns true if this unescaped quote opens the value of a member whose name ends in a letter or digit. The proof: a
 * string never opens right after a letter or digit, so in `x":"` the first quote closes the name, and the second opens
 * the value.
 */
function opensValue(bytes: Buffer, at: number): boolean {
  return bytes[at - 1] === colon && bytes[at - 2] === quote && isLetterOrDigit(bytes[at - 3]);
}

function isLetterOrDigit(byte = 0): boolean {
  const lower = byte | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
}

const maxEscapeLength = "\\u0000".length;
const quote = 0x22;
const colon = 0x3a;
const backslash = 0x5c;
