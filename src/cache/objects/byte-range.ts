/** A range of bytes: a value in compact JSON, or a run of the members of a JSON object. */
export interface ByteRange {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns true if both ranges have the same bytes. It compares in native code, which is faster for all but short
 * ranges.
 */
export function bytesEqual(one: ByteRange, other: ByteRange): boolean {
  if (one.end - one.start !== other.end - other.start) return false;
  return one.bytes.compare(other.bytes, other.start, other.end, one.start, one.end) === 0;
}
