import { nowhere, Word } from "./json-walk.ts";
import { ObjectScan } from "./scan-object.ts";

/** One event of a watch whose object is still bytes. */
export class ScannedEvent {
  readonly type: ChangeType;
  readonly name: string;
  /** Empty for objects of no namespace. */
  readonly namespace: string;
  readonly resourceVersion: string;
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #end: number;

  constructor(type: ChangeType, identity: Identity, object: Bytes) {
    this.type = type;
    this.name = identity.name;
    this.namespace = identity.namespace;
    this.resourceVersion = identity.resourceVersion;
    this.#bytes = object.bytes;
    this.#start = object.start;
    this.#end = object.end;
  }

  /** Parses the object, without its managedFields. Throws where it is no JSON. */
  parse(): unknown {
    if (scan.metadata(this.#bytes, this.#start) !== nowhere) return scan.parse(this.#end);
    const object = JSON.parse(this.text());
    delete object.metadata.managedFields; // it has metadata: its name was there
    return object;
  }

  /** The object as it came. */
  text(): string {
    return this.#bytes.toString("utf8", this.#start, this.#end);
  }
}

export type ChangeType = "added" | "modified" | "deleted";

interface Identity {
  readonly name: string;
  readonly namespace: string;
  readonly resourceVersion: string;
}

interface Bytes {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Nothing awaits while it is in use. */
const scan = new ObjectScan();

/**
 * Reads one frame of a watch without parsing it: its bytes from `start` to `end` have to stay as they are until `parse`.
 * `undefined` where it is not the compact JSON of a change that an API server writes; that is for a parser to look at.
 */
export function scanEvent(bytes: Buffer, start: number, end: number): ScannedEvent | undefined {
  const typeStart = start + opening.length;
  if (!opening.beginsAt(bytes, start)) return undefined;
  const type = typeAt(bytes, typeStart);
  if (!type) return undefined;
  const objectStart = typeStart + type.word.length + between.length;
  if (!between.beginsAt(bytes, objectStart - between.length)) return undefined;
  if (bytes[end - 1] !== closeBrace || bytes[end - 2] !== closeBrace) return undefined;
  const found = scan.identity(bytes, objectStart);
  const { name, namespace = "", resourceVersion } = scan;
  if (found < 0 || found >= end || !name || !resourceVersion) return undefined;
  const object = { bytes, start: objectStart, end: end - 1 };
  return new ScannedEvent(type.meaning, { name, namespace, resourceVersion }, object);
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
