import { DictionaryCodec } from "./dictionary-codec.ts";

export interface AdaptiveCompressorOptions {
  /** Bytes of objects that are left as they are before it learns: where there are few, it is not worth it. @default 256 KiB */
  readonly after?: number | undefined;
  /** Bytes of objects that it learns from. Alike ones say enough by a few of them, and unlike ones by many. @default 16 KiB */
  readonly from?: number | undefined;
}

/**
 * Packs the objects of one kind as they come, by what those before them say: most of what one says, many say.
 *
 * What it has packed can be unpacked for ever by the `packing` it had then; it learns, and has another later on, where objects
 * come that are not like those it knows.
 */
export class AdaptiveCompressor {
  /** Learned last; `undefined` while there is nothing worth packing. */
  packing: DictionaryCodec | undefined;
  readonly #after: number;
  readonly #from: number;
  /** What to learn from: the last objects that could not be packed well. */
  #samples: Buffer[] = [];
  #sampled = 0;
  /** Bytes that came before it began to learn. */
  #passed = 0;
  /** Objects that came since it learned. */
  #since = seldom;

  constructor({ after = 256 * 1024, from = 16 * 1024 }: AdaptiveCompressorOptions = {}) {
    this.#after = after;
    this.#from = from;
  }

  /** What `json` was packed into, lent until the next is; `undefined` where that is not worth it. */
  pack(json: Buffer): Buffer | undefined {
    if (this.#passed < this.#after) {
      this.#passed += json.length;
      return undefined;
    }
    if (json.length > maxCompressibleBytes) return undefined;
    this.#since += 1;
    const whole = { bytes: json, start: 0, end: json.length };
    const length = this.packing ? this.packing.pack(whole, room, json.length >> 1) : -1;
    if (length >= 0) return room.subarray(0, length);
    if (this.#since > seldom) this.#sample(json);
    return undefined;
  }

  #sample(json: Buffer): void {
    this.#samples.push(Buffer.from(json));
    this.#sampled += json.length;
    if (this.#sampled < this.#from) return;
    this.packing = new DictionaryCodec(Buffer.concat(this.#samples).subarray(0, mostLearned));
    this.#samples = [];
    this.#sampled = 0;
    this.#since = 0;
  }
}

/** Longer objects are few, and are left as they are. */
export const maxCompressibleBytes: number = 32 * 1024;
const mostLearned = 32 * 1024;
/** It learns no more before so many objects came: what it knows takes memory for as long as something is packed by it. */
const seldom = 1000;

/** Where objects are packed. */
const room: Buffer = Buffer.allocUnsafeSlow(maxCompressibleBytes);
