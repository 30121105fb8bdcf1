import { DictionaryCodec } from "./dictionary-codec.ts";

export interface AdaptiveCompressorOptions {
  /** Bytes of objects that stay uncompressed before it samples: a small cache saves too little. @default 256 KiB */
  readonly startAfterBytes?: number | undefined;
  /** Bytes of sampled objects from which it makes a dictionary. @default 16 KiB */
  readonly sampleBytes?: number | undefined;
}

/**
 * Compresses the objects of one kind with a dictionary that it learns from earlier objects of that kind.
 *
 * It samples objects that do not compress well, and makes a new codec when it has enough samples. So it adapts when
 * other objects arrive, such as Pods of another team. Each compressed object needs the codec that was current when it
 * was compressed: the caller keeps `codec` with it.
 */
export class AdaptiveCompressor {
  /** The current codec; `undefined` until the first dictionary is learned. */
  codec: DictionaryCodec | undefined;
  readonly #startAfterBytes: number;
  readonly #sampleBytes: number;
  /** Copies of the objects that did not compress well, for the next dictionary. */
  #samples: Buffer[] = [];
  #sampledBytes = 0;
  /** Bytes of the objects that passed before sampling started. */
  #passedBytes = 0;
  /** Objects since the last dictionary was learned. */
  #objectsSinceLearned = minObjectsPerCodec;

  constructor({ startAfterBytes = 256 * 1024, sampleBytes = 16 * 1024 }: AdaptiveCompressorOptions = {}) {
    this.#startAfterBytes = startAfterBytes;
    this.#sampleBytes = sampleBytes;
  }

  /**
   * Returns the compressed bytes, which are valid until the next call, or `undefined` if that would not save at least
   * half.
   */
  compress(json: Buffer): Buffer | undefined {
    if (this.#passedBytes < this.#startAfterBytes) {
      this.#passedBytes += json.length;
      return undefined;
    }
    if (json.length > maxCompressibleBytes) return undefined;
    this.#objectsSinceLearned += 1;
    const source = { bytes: json, start: 0, end: json.length };
    const length = this.codec ? this.codec.compress(source, scratch, json.length >> 1) : -1;
    if (length >= 0) return scratch.subarray(0, length);
    if (this.#objectsSinceLearned > minObjectsPerCodec) this.#sample(json);
    return undefined;
  }

  #sample(json: Buffer): void {
    this.#samples.push(Buffer.from(json));
    this.#sampledBytes += json.length;
    if (this.#sampledBytes < this.#sampleBytes) return;
    this.codec = new DictionaryCodec(Buffer.concat(this.#samples).subarray(0, maxLearnedBytes));
    this.#samples = [];
    this.#sampledBytes = 0;
    this.#objectsSinceLearned = 0;
  }
}

/** Objects with longer JSON are few, and stay uncompressed. It bounds the scratch buffers for decompression. */
export const maxCompressibleBytes: number = 32 * 1024;
const maxLearnedBytes = 32 * 1024;
/** Objects between two dictionaries. A dictionary takes memory as long as an object is compressed with it. */
const minObjectsPerCodec = 1000;

/** Receives the compressed bytes of every compressor. */
const scratch: Buffer = Buffer.allocUnsafeSlow(maxCompressibleBytes);
