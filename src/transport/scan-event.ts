import { MetadataScan } from "./scan-metadata.ts";
import { type ChangeType, watchEventPrefixAt } from "./watch-event-prefix.ts";

/** One event of a watch whose object has yet to be parsed. */
export interface ScannedEvent {
  readonly type: ChangeType;
  readonly name: string;
  /** Empty for objects of no namespace. */
  readonly namespace: string;
  readonly resourceVersion: string;
  /** The object as it came, without its managedFields. Whether it is JSON, a parser will say. */
  readonly text: string;
}

/** Nothing awaits while it is in use. */
const scan = new MetadataScan();

/**
 * Reads one frame of a watch, its bytes from `start` to `end`, without parsing it. `undefined` where it is not the
 * compact JSON of a change that an API server writes; that is for a parser to look at.
 */
export function scanEvent(bytes: Buffer, start: number, end: number): ScannedEvent | undefined {
  const change = watchEventPrefixAt(bytes, start);
  if (!change) return undefined;
  const objectStart = start + change.matcher.length;
  if (bytes[end - 1] !== closeBrace || bytes[end - 2] !== closeBrace) return undefined;
  if (!scan.within(bytes, objectStart, end - 1)) return undefined;
  const { name, namespace, resourceVersion } = scan;
  return {
    type: change.changeType,
    name,
    namespace,
    resourceVersion,
    text: textOf(bytes, objectStart, end - 1),
  };
}

/** Of what was scanned. It is put together as bytes: of two strings, V8 would make a third before it is parsed. */
function textOf(bytes: Buffer, start: number, end: number): string {
  const { cutStart, cutEnd } = scan;
  if (cutEnd === 0) return bytes.toString("utf8", start, end);
  const length = end - start - (cutEnd - cutStart);
  const whole = length > room.length ? Buffer.allocUnsafe(length) : room;
  const before = bytes.copy(whole, 0, start, cutStart);
  bytes.copy(whole, before, cutEnd, end);
  return whole.toString("utf8", 0, length);
}

/** Larger objects are rare. */
const room = Buffer.allocUnsafeSlow(64 * 1024);
const closeBrace = 0x7d;
