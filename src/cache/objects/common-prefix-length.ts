import type { ByteRange } from "./byte-range.ts";

/**
 * Returns how many bytes two ranges have in common at their starts. Compares eight bytes at a time, at any alignment.
 */
export function commonPrefixLength(one: ByteRange, other: ByteRange): number {
  const max = Math.min(one.end - one.start, other.end - other.start);
  const offset = other.start - one.start;
  const end = one.start + max;
  let at = one.start + commonEights(one, other, max);
  while (at < end && one.bytes[at] === other.bytes[at + offset]) at += 1;
  return at - one.start;
}

/** Returns the length of the common prefix, rounded down to a multiple of eight. */
function commonEights(one: ByteRange, other: ByteRange, max: number): number {
  const oneView = dataViewOf(one.bytes);
  const otherView = dataViewOf(other.bytes);
  const offset = other.start - one.start;
  const last = one.start + max - 8;
  let at = one.start;
  for (; at <= last; at += 8) {
    if (oneView.getInt32(at) !== otherView.getInt32(at + offset)) break;
    if (oneView.getInt32(at + 4) !== otherView.getInt32(at + offset + 4)) break;
  }
  return at - one.start;
}

/** One view per buffer. The buffers are pages and scratch buffers, so there are few. */
const dataViews = new WeakMap<Buffer, DataView>();

/** Returns the data view of a buffer, for reads of several bytes at a time. */
export function dataViewOf(bytes: Buffer): DataView {
  const cached = dataViews.get(bytes);
  if (cached) return cached;
  const dataView = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  dataViews.set(bytes, dataView);
  return dataView;
}
