import { ByteMatcher } from "../json/byte-matcher.ts";

export type ChangeType = "added" | "modified" | "deleted";

/** The bytes in front of the object in a watch event of one type. */
export interface WatchEventPrefix {
  /** The type on the wire: `ADDED`. */
  readonly wireType: string;
  readonly changeType: ChangeType;
  /** Matches everything before the object: `{"type":"ADDED","object":`. */
  readonly matcher: ByteMatcher;
}

const added = prefixOf("ADDED", "added");
const modified = prefixOf("MODIFIED", "modified");
const deleted = prefixOf("DELETED", "deleted");

function prefixOf(wireType: string, changeType: ChangeType): WatchEventPrefix {
  return { wireType, changeType, matcher: new ByteMatcher(`{"type":"${wireType}","object":`) };
}

const byWireType = new Map<unknown, ChangeType>(
  [added, modified, deleted].map(({ wireType, changeType }) => [wireType, changeType]),
);

/** Returns the change for a watch event's type on the wire, or `undefined` if the type is not a change. */
export function changeTypeOf(wireType: unknown): ChangeType | undefined {
  return byWireType.get(wireType);
}

const typeOffset = '{"type":"'.length;

/**
 * Returns the prefix of the watch event that begins at `start`, or `undefined` if it does not begin as API servers
 * write it.
 */
export function watchEventPrefixAt(bytes: Buffer, start: number): WatchEventPrefix | undefined {
  if (start + typeOffset >= bytes.length) return undefined;
  const prefix = prefixForLetter(bytes[start + typeOffset] ?? 0);
  return prefix?.matcher.matchesAt(bytes, start) ? prefix : undefined;
}

function prefixForLetter(letter: number): WatchEventPrefix | undefined {
  switch (letter) {
    case 0x41: // A
      return added;
    case 0x4d: // M
      return modified;
    case 0x44: // D
      return deleted;
    default:
      return undefined;
  }
}
