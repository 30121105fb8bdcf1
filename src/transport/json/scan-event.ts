import { MetadataScan } from "./scan-metadata.ts";
import { type ChangeType, watchEventPrefixAt } from "./watch-event-prefix.ts";

/** A watch event whose object is not parsed yet. */
export interface ScannedEvent {
  readonly type: ChangeType;
  readonly name: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly resourceVersion: string;
  /** The object as received, without its managedFields. It is not validated. */
  readonly text: string;
}

/** Shared by all events, because a scan never yields. */
const scan = new MetadataScan();

/**
 * Reads one frame of a watch, the bytes from `start` to `end`, without parsing it. Returns `undefined` if it is not a
 * change in compact JSON as API servers write it. Such a frame needs a parser.
 */
export function scanEvent(bytes: Buffer, start: number, end: number): ScannedEvent | undefined {
  const prefix = watchEventPrefixAt(bytes, start);
  if (!prefix) return undefined;
  const objectStart = start + prefix.matcher.length;
  if (bytes[end - 1] !== closeBrace || bytes[end - 2] !== closeBrace) return undefined;
  if (!scan.within(bytes, objectStart, end - 1)) return undefined;
  const { name, namespace, resourceVersion } = scan;
  return {
    type: prefix.changeType,
    name,
    namespace,
    resourceVersion,
    text: textOf(bytes, objectStart, end - 1),
  };
}

/**
 * Returns the scanned object without its managedFields. It joins the parts as bytes, because V8 would copy joined
 * strings again.
 */
function textOf(bytes: Buffer, start: number, end: number): string {
  const { cutStart, cutEnd } = scan;
  if (cutEnd === 0) return bytes.toString("utf8", start, end);
  const length = end - start - (cutEnd - cutStart);
  const whole = length > room.length ? Buffer.allocUnsafe(length) : room;
  const before = bytes.copy(whole, 0, start, cutStart);
  bytes.copy(whole, before, cutEnd, end);
  return whole.toString("utf8", 0, length);
}

/** A reused buffer. Larger objects, which are rare, get their own. */
const room = Buffer.allocUnsafeSlow(64 * 1024);
const closeBrace = 0x7d;
