import { MetadataScan } from "../json/scan-metadata.ts";
import { type ChangeType, watchEventPrefixAt } from "./watch-event-prefix.ts";

/**
 * Scans the frame of a watch event without parsing it. It supports changes in compact JSON, as API servers write them;
 * other frames need `parseEvent`. One instance scans many frames: its fields are valid until the next scan.
 */
export class EventScan {
  /** The scan of the object. */
  readonly object: MetadataScan;
  /** Range of the object in the frame's bytes. */
  start = 0;
  end = 0;

  constructor(object: MetadataScan = new MetadataScan()) {
    this.object = object;
  }

  /** Scans the frame from `start` to `end`. @returns the type of the change, or `undefined` if it needs a parser */
  change(bytes: Buffer, start: number, end: number): ChangeType | undefined {
    const prefix = watchEventPrefixAt(bytes, start);
    if (!prefix || bytes[end - 1] !== closeBrace) return undefined;
    this.start = start + prefix.matcher.length;
    this.end = end - 1;
    return this.object.within(bytes, this.start, this.end) ? prefix.changeType : undefined;
  }
}

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
const shared = new EventScan();

/** Returns the event in the frame from `start` to `end`, or `undefined` if the frame needs a parser. */
export function scanEvent(bytes: Buffer, start: number, end: number): ScannedEvent | undefined {
  const type = bytes[end - 2] === closeBrace ? shared.change(bytes, start, end) : undefined;
  if (type === undefined) return undefined;
  const { name, namespace, resourceVersion } = shared.object;
  return {
    type,
    name,
    namespace,
    resourceVersion,
    text: shared.object.text(bytes, shared.start, shared.end),
  };
}

const closeBrace = 0x7d;
