/** A value in compact JSON, or a run of the members of an object, among other bytes. */
export interface Written {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Node is asked to compare: mostly it is long. */
export function isWrittenAlike(one: Written, other: Written): boolean {
  if (one.end - one.start !== other.end - other.start) return false;
  return one.bytes.compare(other.bytes, other.start, other.end, one.start, one.end) === 0;
}
