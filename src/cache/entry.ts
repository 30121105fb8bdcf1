import { isDeepStrictEqual } from "node:util";
import type { KubeObject, Labels, ObjectMeta } from "../api/index.ts";
import { ByteMatcher, endOfValue, nowhere, skipMetadataValue, walkObject } from "../transport/index.ts";
import { maxCompressibleBytes } from "./adaptive-compressor.ts";
import { type ByteRange, bytesEqual } from "./byte-range.ts";
import { type ChangedMember, changedMembers } from "./changed-members.ts";
import { dataViewOf } from "./common-prefix-length.ts";
import type { DictionaryCodec } from "./dictionary-codec.ts";
import type { ReadableJson } from "./differs-in-scalars.ts";
import { memberChanged } from "./member-changed.ts";
import { type Block, freed, type Slab } from "./slab.ts";

/**
 * One version of one object: who it is, and its bytes, which may be packed. What it says never changes.
 *
 * Every read parses, and keeps nothing: what it gives is the reader's own.
 */
export class Entry implements Block {
  /** Empty for objects of no namespace. */
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
  // Where the bytes are: only the slab changes this.
  state: Block["state"] = "incoming";
  references = 0;
  memory: Block["memory"] = "";
  start = 0;
  length = 0;
  index = 0;
  /** Bytes of its JSON. */
  readonly size: number;
  /** What unpacks them; `undefined` where they are as they are. */
  readonly #packing: DictionaryCodec | undefined;
  /** Where `metadata` lies in its JSON, from their start; both 0 where only a parser knows. */
  readonly #metadataStart: number;
  readonly #metadataEnd: number;
  /** And where the value of its `resourceVersion` ends. */
  readonly #versionEnd: number;
  #key: string | undefined;

  constructor(identity: Identity, slab: Slab, pieces: EntrySource) {
    this.namespace = identity.namespace;
    this.name = identity.name;
    this.resourceVersion = identity.resourceVersion;
    this.#metadataStart = pieces.metadataStart;
    this.#metadataEnd = pieces.metadataEnd;
    this.#versionEnd = pieces.versionEnd;
    this.size = pieces.length;
    this.#packing = pieces.packing;
    const page = slab.place(this, pieces.packing ? pieces.packedLength : pieces.length);
    pieces.write(page.bytes, this.start);
  }

  /** Another version of the same object, which shares its names. */
  version(resourceVersion: string, slab: Slab, pieces: EntrySource): Entry {
    const { namespace, name } = this;
    const entry = new Entry({ namespace, name, resourceVersion }, slab, pieces);
    entry.#key = this.#key;
    return entry;
  }

  /** `namespace/name`, or `name` alone. */
  get key(): string {
    this.#key ??= this.namespace === "" ? this.name : `${this.namespace}/${this.name}`;
    return this.#key;
  }

  /** Its JSON where it lies, unless it is packed or dropped. It is proven to be valid. */
  plainJson(): ReadableJson | undefined {
    const { memory, start, length } = this;
    if (this.#packing || typeof memory !== "object") return undefined;
    const { bytes } = memory;
    return { bytes, start, end: start + length, words: dataViewOf(bytes) };
  }

  /**
   * Whether the JSON has the same content. API servers write one content in one way, but for the type, which precedes the metadata.
   *
   * @param metadataStart where the metadata begins, from the start of the JSON; 0 if that is not known
   */
  hasContent(json: ByteRange, metadataStart: number): boolean {
    if (this.#metadataEnd > 0 && metadataStart > 0) {
      const own = this.#json();
      const ownRest = { ...own, start: own.start + this.#metadataStart, end: own.start + this.size };
      if (bytesEqual(ownRest, { ...json, start: json.start + metadataStart })) return true;
    }
    return isDeepStrictEqual(this.parse(), JSON.parse(json.bytes.toString("utf8", json.start, json.end)));
  }

  /** The whole object, parsed anew. */
  parse<T extends KubeObject>(): T {
    return JSON.parse(this.#text(0, this.size)) as T; // the kind asked for is what came
  }

  /** Its metadata, parsed anew, without the rest. */
  metadata(): ObjectMeta {
    if (this.#metadataEnd === 0) return this.parse().metadata;
    return JSON.parse(this.#text(this.#metadataStart, this.#metadataEnd)) as ObjectMeta; // as in `parse`
  }

  /** The generation in its metadata, if that is a number. Parses nothing else. */
  get generation(): number | undefined {
    if (this.#metadataEnd === 0) return numberOr(this.parse().metadata.generation);
    const { bytes, start } = this.#json();
    const versionEnd = start + this.#versionEnd;
    // API servers write the generation right after the resource version.
    if (generationMember.matchesAt(bytes, versionEnd))
      return numberAt(bytes, versionEnd + generationMember.length);
    let generation: number | undefined;
    const end = walkObject(bytes, start + this.#metadataStart, (key, value) => {
      if (generationName.isKey(bytes, key, value)) generation = numberAt(bytes, value);
      return skipMetadataValue(bytes, value);
    });
    return end === nowhere ? numberOr(this.metadata().generation) : generation;
  }

  /**
   * The fields of its metadata that are not written as in `before`; `undefined` where only a parser knows. Where they are
   * written is lent, until another entry is read.
   */
  changedMetadata(before: Entry): readonly ChangedMember[] | undefined {
    if (this === before) return none;
    if (this.#metadataEnd === 0 || before.#metadataEnd === 0) return undefined;
    const old = before.#json(otherRoom);
    const now = this.#json();
    const changed = this.resourceVersion !== before.resourceVersion;
    const version = changed
      ? { name: "resourceVersion", before: before.#versionIn(old), after: this.#versionIn(now) }
      : undefined;
    return changedMembers(before.#metadataIn(old), this.#metadataIn(now), version);
  }

  /**
   * Whether one of these fields of its metadata says something else than in `before`. `undefined` where that is not known at
   * first sight: who has the changed fields, or a parser, knows.
   */
  metadataFieldChanged(before: Entry, fields: readonly string[]): boolean | undefined {
    if (this === before) return false;
    if (this.#metadataEnd === 0 || before.#metadataEnd === 0) return undefined;
    if (fields.includes("resourceVersion") && this.resourceVersion !== before.resourceVersion) return true;
    const old = before.#json(otherRoom);
    const now = this.#json();
    const changed = memberChanged(before.#afterVersionIn(old), this.#afterVersionIn(now), fields);
    if (changed !== false || bytesEqual(before.#upToVersionIn(old), this.#upToVersionIn(now))) return changed;
    return memberChanged(before.#beforeVersionIn(old), this.#beforeVersionIn(now), fields);
  }

  /** Its labels, parsed anew, without the rest. */
  labels(): Labels | undefined {
    if (this.#metadataEnd === 0) return this.parse().metadata.labels;
    const { bytes, start } = this.#json();
    let labels: Labels | undefined;
    walkObject(bytes, start + this.#metadataStart, (key, value) => {
      const end = endOfValue(bytes, value);
      if (value - 2 - key === labelsLength && bytes.toString("latin1", key, value - 2) === "labels") {
        labels = JSON.parse(bytes.toString("utf8", value, end)) as Labels; // as in `parse`
      }
      return end;
    });
    return labels;
  }

  /** One of its fields, parsed anew, without the rest: one that `fields` has named. */
  field(name: string): unknown {
    const json = this.#json();
    const { bytes } = json;
    let value: unknown;
    walkObject(bytes, json.start, (key, start) => {
      const end = this.#endOf(json, start);
      if (bytes.toString("utf8", key, start - 2) === name)
        value = JSON.parse(bytes.toString("utf8", start, end));
      return end;
    });
    return value;
  }

  /** The names of its fields, in their order, or `undefined` where only a parser knows. */
  fields(): string[] | undefined {
    const json = this.#json();
    const { bytes } = json;
    const names: string[] = [];
    const end = walkObject(bytes, json.start, (key, value) => {
      names.push(bytes.toString("utf8", key, value - 2));
      return this.#endOf(json, value);
    });
    return end < 0 ? undefined : names;
  }

  /** Of the field whose value begins there. */
  #endOf({ bytes, start }: ByteRange, value: number): number {
    const isMetadata = value === start + this.#metadataStart;
    return isMetadata ? start + this.#metadataEnd : endOfValue(bytes, value);
  }

  #metadataIn({ bytes, start }: ByteRange): ByteRange {
    return { bytes, start: start + this.#metadataStart, end: start + this.#metadataEnd };
  }

  /** With its quotes. It is a plain text, or only a parser would know where metadata lies. */
  #versionIn({ bytes, start }: ByteRange): ByteRange {
    const end = start + this.#versionEnd;
    return { bytes, start: end - this.resourceVersion.length - 2, end };
  }

  /** The fields of its metadata that stand before its version. */
  #beforeVersionIn({ bytes, start }: ByteRange): ByteRange {
    const end = start + this.#versionEnd - this.resourceVersion.length - versionLength;
    return { bytes, start: start + this.#metadataStart, end };
  }

  /** And with the quote that opens the version. */
  #upToVersionIn({ bytes, start }: ByteRange): ByteRange {
    const end = start + this.#versionEnd - this.resourceVersion.length - 1;
    return { bytes, start: start + this.#metadataStart, end };
  }

  /** And those that stand after it. */
  #afterVersionIn({ bytes, start }: ByteRange): ByteRange {
    return { bytes, start: start + this.#versionEnd, end: start + this.#metadataEnd };
  }

  #text(start: number, end: number): string {
    const json = this.#json();
    return json.bytes.toString("utf8", json.start + start, json.start + end);
  }

  /** Where its JSON is: in its page, or in `into`, which the next one that is read overwrites. */
  #json(into = room): ByteRange {
    const { memory, start, length } = this;
    if (memory === freed) throw new Error(`expected ${this.key} to be retained by its reader, got it freed`);
    if (typeof memory !== "string")
      return this.#unpacked({ bytes: memory.bytes, start, end: start + length }, into);
    if (this.#packing) return this.#unpacked(written(memory, packedRoom), into);
    return written(memory, memory.length > maxCompressibleBytes ? Buffer.allocUnsafe(memory.length) : into);
  }

  #unpacked(bytes: ByteRange, into: Buffer): ByteRange {
    return this.#packing ? { bytes: into, start: 0, end: this.#packing.unpack(bytes, into) } : bytes;
  }
}

/** Where an object is unpacked to be read, and the other one that it is compared with. */
const room: Buffer = Buffer.allocUnsafeSlow(maxCompressibleBytes);
const otherRoom: Buffer = Buffer.allocUnsafeSlow(maxCompressibleBytes);
/** Where the packed bytes of an object on the heap are put to be unpacked. */
const packedRoom: Buffer = Buffer.allocUnsafeSlow(maxCompressibleBytes);
const versionLength = '"resourceVersion":""'.length;
const labelsLength = "labels".length;
const generationName = new ByteMatcher("generation");
const generationMember = new ByteMatcher(',"generation":');
const none: readonly never[] = [];

/** The bytes of an object on the heap, written to the front of `into`. */
function written(bytes: string, into: Buffer): ByteRange {
  return { bytes: into, start: 0, end: into.write(bytes, "latin1") };
}

/** The number that begins at `at`, or `undefined` if another value does. */
function numberAt(bytes: Buffer, at: number): number | undefined {
  return numberOr(JSON.parse(bytes.toString("latin1", at, endOfValue(bytes, at))));
}

function numberOr(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

export interface Identity {
  /** Empty for objects of no namespace. */
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
}

/** What an entry's bytes are made of. */
export interface EntrySource {
  /** Of the JSON. */
  readonly length: number;
  /** What it is packed by, if it is, and into how many bytes. */
  readonly packing: DictionaryCodec | undefined;
  readonly packedLength: number;
  /** Where `metadata` lies in what is written; both 0 where only a parser knows. */
  readonly metadataStart: number;
  readonly metadataEnd: number;
  /** Where the value of its `resourceVersion` ends. */
  readonly versionEnd: number;
  write(target: Buffer, at: number): void;
}
