/** A value in compact JSON, or a run of the members of an object, among other bytes. */
export interface ByteRange {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Node is asked to compare: mostly it is long. */
export function bytesEqual(one: ByteRange, other: ByteRange): boolean {
  if (one.end - one.start !== other.end - other.start) return false;
  return one.bytes.compare(other.bytes, other.start, other.end, one.start, one.end) === 0;
}
