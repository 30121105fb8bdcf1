import type { ByteRange } from "./byte-range.ts";

/** For how many bytes two are written alike, from the start of each. Eight are compared at a time, wherever they lie. */
export function commonPrefixLength(one: ByteRange, other: ByteRange): number {
  const most = Math.min(one.end - one.start, other.end - other.start);
  const ahead = other.start - one.start;
  const end = one.start + most;
  let at = one.start + sameEights(one, other, most);
  while (at < end && one.bytes[at] === other.bytes[at + ahead]) at += 1;
  return at - one.start;
}

/** The same, as far as whole eights of bytes go. */
function sameEights(one: ByteRange, other: ByteRange, most: number): number {
  const ones = dataViewOf(one.bytes);
  const others = dataViewOf(other.bytes);
  const ahead = other.start - one.start;
  const last = one.start + most - 8;
  let at = one.start;
  for (; at <= last; at += 8) {
    if (ones.getInt32(at) !== others.getInt32(at + ahead)) break;
    if (ones.getInt32(at + 4) !== others.getInt32(at + ahead + 4)) break;
  }
  return at - one.start;
}

/** There are few, each of many objects. They go when the bytes go. */
const views = new WeakMap<Buffer, DataView>();

/** One view of each memory, for reads of several bytes at a time. */
export function dataViewOf(bytes: Buffer): DataView {
  const known = views.get(bytes);
  if (known) return known;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  views.set(bytes, view);
  return view;
}
