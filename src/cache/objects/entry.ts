import { isDeepStrictEqual } from "node:util";
import type { KubeObject, Labels, ObjectMeta } from "../../api/index.ts";
import { ByteMatcher, endOfValue, nowhere, skipMetadataValue, walkObject } from "../../transport/index.ts";
import { maxCompressibleBytes } from "./adaptive-compressor.ts";
import { type ByteRange, bytesEqual } from "./byte-range.ts";
import { type ChangedMember, changedMembers } from "./changed-members.ts";
import { dataViewOf } from "./common-prefix-length.ts";
import type { DictionaryCodec } from "./dictionary-codec.ts";
import type { ReadableJson } from "./differs-in-scalars.ts";
import type { EntrySource } from "./entry-source.ts";
import { memberChanged } from "./member-changed.ts";
import { type Block, freed, type Slab } from "./slab.ts";

/**
 * One version of one object: its key, its resource version, and its JSON, which may be compressed. It is immutable.
 *
 * The JSON is proven to be valid before an entry is made, so reads do not fail. Every read parses again and keeps
 * nothing, so that each caller owns the result. Reads of one part (`metadata`, `labels`, `generation`, `field`) find
 * that part in the bytes and parse nothing else.
 *
 * An entry can be read while the store keeps it or a reader retains it: see `Slab`.
 */
export class Entry implements Block {
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
  // The fields of `Block`. Only the slab writes them.
  state: Block["state"] = "incoming";
  references = 0;
  memory: Block["memory"] = "";
  start = 0;
  length = 0;
  index = 0;
  /** Bytes of the uncompressed JSON. */
  readonly size: number;
  /** The codec that compressed the JSON; `undefined` if it is not compressed. */
  readonly #codec: DictionaryCodec | undefined;
  /** Offsets of `metadata` in the JSON. Both are 0 if only a parser can find it. */
  readonly #metadataStart: number;
  readonly #metadataEnd: number;
  /** Offset of the end of the value of `metadata.resourceVersion`. */
  readonly #versionEnd: number;
  #key: string | undefined;

  constructor(identity: Identity, slab: Slab, source: EntrySource) {
    this.namespace = identity.namespace;
    this.name = identity.name;
    this.resourceVersion = identity.resourceVersion;
    this.#metadataStart = source.metadataStart;
    this.#metadataEnd = source.metadataEnd;
    this.#versionEnd = source.versionEnd;
    this.size = source.length;
    this.#codec = source.codec;
    const page = slab.allocate(this, source.codec ? source.compressedLength : source.length);
    source.write(page.bytes, this.start);
  }

  /** Returns an entry of another version of the same object. It shares the strings of its key. */
  newVersion(resourceVersion: string, slab: Slab, source: EntrySource): Entry {
    const { namespace, name } = this;
    const entry = new Entry({ namespace, name, resourceVersion }, slab, source);
    entry.#key = this.#key;
    return entry;
  }

  /** `namespace/name`, or `name` for cluster-scoped objects. */
  get key(): string {
    this.#key ??= this.namespace === "" ? this.name : `${this.namespace}/${this.name}`;
    return this.#key;
  }

  /** Returns the JSON in its page, without a copy; `undefined` if it is compressed or not in a page. */
  uncompressedJson(): ReadableJson | undefined {
    const { memory, start, length } = this;
    if (this.#codec || typeof memory !== "object") return undefined;
    const { bytes } = memory;
    return { bytes, start, end: start + length, dataView: dataViewOf(bytes) };
  }

  /**
   * Returns true if the JSON has the same content as this entry. It first compares bytes from the metadata on: API
   * servers serialize one content in one way, except for the type, which precedes the metadata.
   *
   * @param metadataStart offset of the metadata in the JSON; 0 if it is unknown
   */
  hasContent(json: ByteRange, metadataStart: number): boolean {
    if (this.#metadataEnd > 0 && metadataStart > 0) {
      const own = this.#json();
      const ownRest = { ...own, start: own.start + this.#metadataStart, end: own.start + this.size };
      if (bytesEqual(ownRest, { ...json, start: json.start + metadataStart })) return true;
    }
    return isDeepStrictEqual(this.parse(), JSON.parse(json.bytes.toString("utf8", json.start, json.end)));
  }

  /** Parses the object. */
  parse<T extends KubeObject>(): T {
    return JSON.parse(this.#text(0, this.size)) as T; // the reader has checked the kind
  }

  /** Parses the metadata, and nothing else. */
  metadata(): ObjectMeta {
    if (this.#metadataEnd === 0) return this.parse().metadata;
    return JSON.parse(this.#text(this.#metadataStart, this.#metadataEnd)) as ObjectMeta; // as in `parse`
  }

  /** Parses `metadata.generation`, and nothing else. `undefined` if it is not a number. */
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
   * Returns the metadata fields whose bytes differ from those of `before`, or `undefined` if only a parser can find
   * them. The byte ranges are valid until another entry is read: they may be in the scratch buffers.
   */
  changedMetadata(before: Entry): readonly ChangedMember[] | undefined {
    if (this === before) return none;
    if (this.#metadataEnd === 0 || before.#metadataEnd === 0) return undefined;
    const old = before.#json(otherScratch);
    const now = this.#json();
    const changed = this.resourceVersion !== before.resourceVersion;
    const version = changed
      ? { name: "resourceVersion", before: before.#versionIn(old), after: this.#versionIn(now) }
      : undefined;
    return changedMembers(before.#metadataIn(old), this.#metadataIn(now), version);
  }

  /**
   * Returns true if one of these metadata fields has another value than in `before`. Returns `undefined` if the fields
   * are not in the same order in both; then `changedMetadata` or a parser has to decide.
   *
   * The resource version always differs, so the fields after it are compared first, and those before it only if needed.
   */
  metadataFieldChanged(before: Entry, fields: readonly string[]): boolean | undefined {
    if (this === before) return false;
    if (this.#metadataEnd === 0 || before.#metadataEnd === 0) return undefined;
    if (fields.includes("resourceVersion") && this.resourceVersion !== before.resourceVersion) return true;
    const old = before.#json(otherScratch);
    const now = this.#json();
    const changed = memberChanged(before.#afterVersionIn(old), this.#afterVersionIn(now), fields);
    if (changed !== false || bytesEqual(before.#upToVersionIn(old), this.#upToVersionIn(now))) return changed;
    return memberChanged(before.#beforeVersionIn(old), this.#beforeVersionIn(now), fields);
  }

  /** Parses the labels, and nothing else. */
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

  /** Parses one top-level field, and nothing else. @param name one of `fields()` */
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

  /** Returns the names of the top-level fields in their order, or `undefined` if only a parser can find them. */
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

  /** Returns the end of the top-level value that starts at `value`. */
  #endOf({ bytes, start }: ByteRange, value: number): number {
    const isMetadata = value === start + this.#metadataStart;
    return isMetadata ? start + this.#metadataEnd : endOfValue(bytes, value);
  }

  #metadataIn({ bytes, start }: ByteRange): ByteRange {
    return { bytes, start: start + this.#metadataStart, end: start + this.#metadataEnd };
  }

  /** Returns the range of the resource version with its quotes. A version with escapes has no `#metadataEnd`. */
  #versionIn({ bytes, start }: ByteRange): ByteRange {
    const end = start + this.#versionEnd;
    return { bytes, start: end - this.resourceVersion.length - 2, end };
  }

  /** Returns the range of the metadata fields before the resource version. */
  #beforeVersionIn({ bytes, start }: ByteRange): ByteRange {
    const end = start + this.#versionEnd - this.resourceVersion.length - versionLength;
    return { bytes, start: start + this.#metadataStart, end };
  }

  /** Returns the range from the start of the metadata to the opening quote of the resource version. */
  #upToVersionIn({ bytes, start }: ByteRange): ByteRange {
    const end = start + this.#versionEnd - this.resourceVersion.length - 1;
    return { bytes, start: start + this.#metadataStart, end };
  }

  /** Returns the range of the metadata fields after the resource version. */
  #afterVersionIn({ bytes, start }: ByteRange): ByteRange {
    return { bytes, start: start + this.#versionEnd, end: start + this.#metadataEnd };
  }

  #text(start: number, end: number): string {
    const json = this.#json();
    return json.bytes.toString("utf8", json.start + start, json.start + end);
  }

  /** Returns the range of the JSON: in its page, or in `into`, which the next read overwrites. */
  #json(into = scratch): ByteRange {
    const { memory, start, length } = this;
    if (memory === freed)
      throw new Error(`${this.key} already freed: retain an entry before its version is replaced`);
    if (typeof memory !== "string")
      return this.#decompressed({ bytes: memory.bytes, start, end: start + length }, into);
    if (this.#codec) return this.#decompressed(writtenTo(compressedScratch, memory), into);
    return writtenTo(memory.length > maxCompressibleBytes ? Buffer.allocUnsafe(memory.length) : into, memory);
  }

  #decompressed(range: ByteRange, into: Buffer): ByteRange {
    return this.#codec ? { bytes: into, start: 0, end: this.#codec.decompress(range, into) } : range;
  }
}

/** Holds the JSON of the entry that is being read, if it cannot be read in its page. Shared by all entries. */
const scratch: Buffer = Buffer.allocUnsafeSlow(maxCompressibleBytes);
/** Holds the JSON of the entry that it is compared with. */
const otherScratch: Buffer = Buffer.allocUnsafeSlow(maxCompressibleBytes);
/** Holds the compressed bytes of an entry on the heap while they are decompressed. */
const compressedScratch: Buffer = Buffer.allocUnsafeSlow(maxCompressibleBytes);
const versionLength = '"resourceVersion":""'.length;
const labelsLength = "labels".length;
const generationName = new ByteMatcher("generation");
const generationMember = new ByteMatcher(',"generation":');
const none: readonly never[] = [];

/** Writes the bytes of an entry on the heap to the start of `target`. */
function writtenTo(target: Buffer, bytes: string): ByteRange {
  return { bytes: target, start: 0, end: target.write(bytes, "latin1") };
}

/** Parses the number at `at`. `undefined` if it is another value. */
function numberAt(bytes: Buffer, at: number): number | undefined {
  return numberOr(JSON.parse(bytes.toString("latin1", at, endOfValue(bytes, at))));
}

function numberOr(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** Key and resource version of an object. */
export interface Identity {
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
}
