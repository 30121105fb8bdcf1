import { Word } from "./json-walk.ts";
import { MetadataScan } from "./scan-metadata.ts";

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

export type ChangeType = "added" | "modified" | "deleted";

/** Nothing awaits while it is in use. */
const scan = new MetadataScan();

/**
 * Reads one frame of a watch, its bytes from `start` to `end`, without parsing it. `undefined` where it is not the
 * compact JSON of a change that an API server writes; that is for a parser to look at.
 */
export function scanEvent(bytes: Buffer, start: number, end: number): ScannedEvent | undefined {
  const typeStart = start + opening.length;
  if (!opening.beginsAt(bytes, start)) return undefined;
  const type = typeAt(bytes, typeStart);
  if (!type) return undefined;
  const objectStart = typeStart + type.word.length + between.length;
  if (!between.beginsAt(bytes, objectStart - between.length)) return undefined;
  if (bytes[end - 1] !== closeBrace || bytes[end - 2] !== closeBrace) return undefined;
  if (!scan.within(bytes, objectStart, end - 1)) return undefined;
  const { name, namespace, resourceVersion, cutStart, cutEnd } = scan;
  const before = cutEnd === 0 ? "" : bytes.toString("utf8", objectStart, cutStart);
  const text = before + bytes.toString("utf8", cutEnd === 0 ? objectStart : cutEnd, end - 1);
  return { type: type.meaning, name, namespace, resourceVersion, text };
}

function typeAt(bytes: Buffer, at: number): EventType | undefined {
  return types.find(({ word }) => word.beginsAt(bytes, at));
}

interface EventType {
  readonly word: Word;
  readonly meaning: ChangeType;
}

const opening = new Word('{"type":"');
const between = new Word('","object":');
const closeBrace = 0x7d;
const types: readonly EventType[] = [
  { word: new Word("MODIFIED"), meaning: "modified" },
  { word: new Word("ADDED"), meaning: "added" },
  { word: new Word("DELETED"), meaning: "deleted" },
];
