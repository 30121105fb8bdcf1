import { MetadataScan } from "../transport/index.ts";
import { type AdaptiveCompressor, maxCompressibleBytes } from "./adaptive-compressor.ts";
import type { DictionaryCodec } from "./dictionary-codec.ts";
import type { ReadableJson } from "./differs-in-scalars.ts";
import type { EntrySource } from "./entry.ts";
import { readable } from "./json-validator.ts";

/** The JSON of an object as it arrived, without its `managedFields`, and with the type that lists leave out. */
export class ScannedSource implements EntrySource {
  length = 0;
  packing: DictionaryCodec | undefined = undefined;
  packedLength = 0;
  metadataStart = 0;
  metadataEnd = 0;
  versionEnd = 0;
  readonly #scan: MetadataScan;
  readonly #prefix: Buffer;
  readonly #whole: boolean;
  /** The JSON in one piece, from the start. Reused for the next object, unless that is larger than `room`. */
  #memory: ReadableJson = room;
  #packed: Buffer = Buffer.alloc(0);

  constructor(scan: MetadataScan, prefix: Buffer, managedFields: boolean) {
    this.#scan = scan;
    this.#prefix = prefix;
    this.#whole = managedFields;
  }

  /** Valid until the next call of `of`. */
  get json(): ReadableJson {
    const { bytes, words } = this.#memory;
    return { bytes, words, start: 0, end: this.length };
  }

  of(bytes: Buffer, start: number, end: number): void {
    const { typed, metadataStart, metadataEnd, versionEnd, cutStart, cutEnd } = this.#scan;
    const cut = this.#whole ? 0 : cutEnd - cutStart;
    const shift = (typed ? 0 : this.#prefix.length - 1) - start;
    this.packing = undefined;
    this.length = end + shift - cut;
    this.metadataStart = metadataStart + shift;
    this.metadataEnd = metadataEnd + shift - cut;
    this.versionEnd = versionEnd + shift - (cutEnd <= versionEnd ? cut : 0);
    this.#memory = this.length > maxCompressibleBytes ? readable(Buffer.allocUnsafe(this.length)) : room;
    this.#assemble(bytes, start, end);
  }

  /** Uses the compressed form from now on, if that is worth it. */
  pack(packer: AdaptiveCompressor): void {
    const packed = packer.pack(this.#memory.bytes.subarray(0, this.length));
    if (!packed) return;
    this.packing = packer.packing;
    this.packedLength = packed.length;
    this.#packed = packed;
  }

  write(target: Buffer, at: number): void {
    if (this.packing) this.#packed.copy(target, at);
    else this.#memory.bytes.copy(target, at, 0, this.length);
  }

  #assemble(bytes: Buffer, start: number, end: number): void {
    const { typed, cutStart, cutEnd } = this.#scan;
    const target = this.#memory.bytes;
    let next = 0;
    let from = start;
    if (!typed) {
      next += this.#prefix.copy(target);
      from += 1; // the prefix has the brace
    }
    if (!this.#whole && cutEnd > 0) {
      next += bytes.copy(target, next, from, cutStart);
      from = cutEnd;
    }
    bytes.copy(target, next, from, end);
  }
}

/** Where objects are assembled. Larger ones are not compressed, and have their own memory. */
const room: ReadableJson = readable(Buffer.allocUnsafeSlow(maxCompressibleBytes));

/** An object's bytes as we write them. */
export class SerializedSource implements EntrySource {
  readonly length: number;
  packing: DictionaryCodec | undefined = undefined;
  packedLength = 0;
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

  pack(packer: AdaptiveCompressor): void {
    const packed = packer.pack(this.#bytes);
    if (!packed) return;
    this.packing = packer.packing;
    this.packedLength = packed.length;
    this.#bytes = packed;
  }

  write(target: Buffer, at: number): void {
    this.#bytes.copy(target, at);
  }
}
