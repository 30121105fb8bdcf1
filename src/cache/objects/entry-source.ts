import { MetadataScan } from "../../transport/index.ts";
import { type AdaptiveCompressor, maxCompressibleBytes } from "./adaptive-compressor.ts";
import type { DictionaryCodec } from "./dictionary-codec.ts";
import type { ReadableJson } from "./differs-in-scalars.ts";
import { readable } from "./json-validator.ts";

/** Provides the bytes of a new entry, and the offsets that let the entry read its metadata without parsing the rest. */
export interface EntrySource {
  /** Length of the JSON. */
  readonly length: number;
  /** The codec that has compressed the JSON; `undefined` if it is not compressed. */
  readonly codec: DictionaryCodec | undefined;
  readonly compressedLength: number;
  /** Offsets of `metadata` in the JSON. Both are 0 if only a parser can find it. */
  readonly metadataStart: number;
  readonly metadataEnd: number;
  /** Offset of the end of the value of `metadata.resourceVersion`. */
  readonly versionEnd: number;
  /** Writes the JSON, or its compressed form if there is a codec. */
  write(target: Buffer, at: number): void;
}

/**
 * The JSON of an object as it arrived, without its `managedFields`, and with the `apiVersion` and `kind` that lists
 * leave out. It is reused: each `load` replaces the previous object.
 */
export class ScannedSource implements EntrySource {
  length = 0;
  codec: DictionaryCodec | undefined = undefined;
  compressedLength = 0;
  metadataStart = 0;
  metadataEnd = 0;
  versionEnd = 0;
  readonly #scan: MetadataScan;
  /** `{"apiVersion":"…","kind":"…",`, for objects without a type. */
  readonly #typePrefix: Buffer;
  readonly #keepManagedFields: boolean;
  /** The JSON, from offset 0. It is the shared scratch buffer, unless the object is larger. */
  #memory: ReadableJson = scratch;
  #compressed: Buffer = Buffer.alloc(0);

  constructor(scan: MetadataScan, typePrefix: Buffer, managedFields: boolean) {
    this.#scan = scan;
    this.#typePrefix = typePrefix;
    this.#keepManagedFields = managedFields;
  }

  /** Valid until the next call of `load`. */
  get json(): ReadableJson {
    const { bytes, dataView } = this.#memory;
    return { bytes, dataView, start: 0, end: this.length };
  }

  /** Assembles the object that the scan has just found in these bytes, and shifts the scan's offsets accordingly. */
  load(bytes: Buffer, start: number, end: number): void {
    const { typed, metadataStart, metadataEnd, versionEnd, cutStart, cutEnd } = this.#scan;
    const cut = this.#keepManagedFields ? 0 : cutEnd - cutStart;
    const shift = (typed ? 0 : this.#typePrefix.length - 1) - start;
    this.codec = undefined;
    this.length = end + shift - cut;
    this.metadataStart = metadataStart + shift;
    this.metadataEnd = metadataEnd + shift - cut;
    this.versionEnd = versionEnd + shift - (cutEnd <= versionEnd ? cut : 0);
    this.#memory = this.length > maxCompressibleBytes ? readable(Buffer.allocUnsafe(this.length)) : scratch;
    this.#assemble(bytes, start, end);
  }

  /** Replaces the JSON by its compressed form, if that is worth it. */
  compress(compressor: AdaptiveCompressor): void {
    const compressed = compressor.compress(this.#memory.bytes.subarray(0, this.length));
    if (!compressed) return;
    this.codec = compressor.codec;
    this.compressedLength = compressed.length;
    this.#compressed = compressed;
  }

  write(target: Buffer, at: number): void {
    if (this.codec) this.#compressed.copy(target, at);
    else this.#memory.bytes.copy(target, at, 0, this.length);
  }

  #assemble(bytes: Buffer, start: number, end: number): void {
    const { typed, cutStart, cutEnd } = this.#scan;
    const target = this.#memory.bytes;
    let next = 0;
    let from = start;
    if (!typed) {
      next += this.#typePrefix.copy(target);
      from += 1; // the prefix contains the opening brace
    }
    if (!this.#keepManagedFields && cutEnd > 0) {
      next += bytes.copy(target, next, from, cutStart);
      from = cutEnd;
    }
    bytes.copy(target, next, from, end);
  }
}

/** Holds the JSON that is being read. Larger objects are never compressed, and get their own buffer. */
const scratch: ReadableJson = readable(Buffer.allocUnsafeSlow(maxCompressibleBytes));

/** The JSON of a parsed object, serialized here. */
export class SerializedSource implements EntrySource {
  readonly length: number;
  codec: DictionaryCodec | undefined = undefined;
  compressedLength = 0;
  readonly metadataStart: number = 0;
  readonly metadataEnd: number = 0;
  readonly versionEnd: number = 0;
  #bytes: Buffer;

  constructor(object: object) {
    this.#bytes = Buffer.from(JSON.stringify(object));
    this.length = this.#bytes.length;
    const scan = new MetadataScan();
    if (!scan.within(this.#bytes, 0, this.length)) return;
    this.metadataStart = scan.metadataStart;
    this.metadataEnd = scan.metadataEnd;
    this.versionEnd = scan.versionEnd;
  }

  get json(): ReadableJson {
    return readable(this.#bytes);
  }

  compress(compressor: AdaptiveCompressor): void {
    const compressed = compressor.compress(this.#bytes);
    if (!compressed) return;
    this.codec = compressor.codec;
    this.compressedLength = compressed.length;
    this.#bytes = compressed;
  }

  write(target: Buffer, at: number): void {
    this.#bytes.copy(target, at);
  }
}
