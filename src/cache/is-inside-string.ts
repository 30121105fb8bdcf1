/**
 * Whether the byte at `at` is proven to stand in a text that is the value of a member, on its own and not in an escape. Of
 * an object's compact JSON no more is looked at than stands before it, back to the quote that opens the text.
 *
 * @param from no text that begins before this counts
 */
export function isInsideString(bytes: Buffer, at: number, from: number): boolean {
  for (let back = at - 1; back >= from; back--) {
    const byte = bytes[back];
    if (byte === backslash && at - back < escapeLength) return false;
    if (byte === quote && !isEscaped(bytes, back)) return opensValue(bytes, back);
  }
  return false;
}

/** In JSON, backslashes are in texts alone, and each that is not itself escaped goes with what follows it. */
function isEscaped(bytes: Buffer, at: number): boolean {
  let first = at;
  while (bytes[first - 1] === backslash) first -= 1;
  return (at - first) % 2 === 1;
}

/**
 * Whether this quote, which is not escaped, opens the value of a member whose name ends as names do. No text opens after a
 * letter or a digit, so a quote there closes one; after it and a colon, the next opens one.
 */
function opensValue(bytes: Buffer, at: number): boolean {
  return bytes[at - 1] === colon && bytes[at - 2] === quote && isLetterOrDigit(bytes[at - 3]);
}

function isLetterOrDigit(byte = 0): boolean {
  const lower = byte | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
}

/** Of the longest. */
const escapeLength = "\\u0000".length;
const quote = 0x22;
const colon = 0x3a;
const backslash = 0x5c;
