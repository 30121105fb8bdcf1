import type { ByteRange } from "./byte-range.ts";

/**
 * Compresses bytes that resemble a dictionary, such as the JSON of objects of one kind, and decompresses them.
 *
 * A codec is immutable: it can decompress everything that a codec with the same dictionary has compressed, and nothing
 * else. Bytes that do not resemble the dictionary can be compressed too; the result is then up to 2 bytes longer for
 * each 127.
 *
 * It is an LZ77 variant in which matches refer only to the dictionary. Compressed bytes are a sequence of tokens. A
 * token stands for some literal bytes, followed by a match, a run of bytes that is copied from the dictionary:
 *
 * | bytes | content |
 * |---|---|
 * | 1 | number of literals (0 to 127), plus 128 if the token has a match position |
 * | 1 | length of the match (0 to 255) |
 * | 0 or 2 | position of the match in the dictionary, little-endian |
 * | 0 to 127 | the literals |
 *
 * A token without a position continues in the dictionary as if the literals had replaced as many dictionary bytes. That
 * is the common case, because objects of one kind mostly differ in values of the same length.
 */
export class DictionaryCodec {
  readonly #dictionary: Dictionary;

  /** @param dictionary at most 64 KiB. The codec copies it. */
  constructor(dictionary: Buffer) {
    if (dictionary.length > maxDictionaryLength) {
      throw new RangeError(
        `expected a dictionary of at most ${maxDictionaryLength} bytes, got ${dictionary.length}`,
      );
    }
    this.#dictionary = dictionaryOf(dictionary);
  }

  /**
   * Compresses `source` to the start of `target`.
   *
   * @param maxLength The largest useful result. Bytes of `target` behind the result, up to `maxLength`, may be
   * overwritten
   * @returns the length of the result, or -1 if it does not fit into `maxLength` or `target`
   */
  compress(source: ByteRange, target: Buffer, maxLength: number): number {
    const encoder = new Encoder(this.#dictionary, source, new Output(target, maxLength));
    return encoder.run();
  }

  /**
   * Decompresses to the start of `target`, which must have room for the result. Bytes of `target` behind the result may
   * be overwritten.
   *
   * @returns the length of the result
   */
  decompress({ bytes, start, end }: ByteRange, target: Buffer): number {
    const { memory: dictionary } = this.#dictionary;
    const source = memoryOf(bytes);
    const output = new Output(target, target.length);
    let offset = 0; // position in the dictionary minus position in the output
    for (let at = start; at < end; ) {
      const head = bytes[at] ?? 0;
      const matchLength = bytes[at + 1] ?? 0;
      const literals = head & maxLiterals;
      at += 2;
      if (head >= hasPosition) {
        offset = source.dataView.getUint16(at, true) - output.length - literals;
        at += 2;
      }
      output.copy(source, at, literals);
      output.copy(dictionary, output.length + offset, matchLength);
      at += literals;
    }
    return output.length;
  }
}

/** Bytes that can be read one by one, and four at a time at any offset. */
interface Memory {
  readonly bytes: Buffer;
  readonly dataView: DataView;
}

interface Dictionary {
  readonly memory: Memory;
  /** Length of the content. The memory has eight more bytes, so that a hash can be read at any position. */
  readonly length: number;
  /** First position of eight bytes, by their hash. Different bytes may share a hash, so a reader compares them. */
  readonly positions: Uint16Array;
}

const maxDictionaryLength = 64 * 1024;
const maxLiterals = 127;
const hasPosition = 128;
const maxMatchLength = 255;
const notFound = -1;

/** Bits of a hash. A table of 8192 positions (16 KiB) stays in the processor's first-level cache. */
const hashBits = 13;

/** Appends eight zero bytes to the content, so that an empty hash slot (position 0) is always valid to compare with. */
function dictionaryOf(content: Buffer): Dictionary {
  const bytes = Buffer.alloc(content.length + 8 + 8);
  bytes.set(content);
  const memory = memoryOf(bytes);
  const positions = new Uint16Array(2 ** hashBits);
  for (let position = content.length - 1; position >= 0; position--)
    positions[hashAt(memory.dataView, position)] = position;
  return { memory, length: content.length + 8, positions };
}

function memoryOf(bytes: Buffer): Memory {
  return { bytes, dataView: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) };
}

/** Returns the hash of the eight bytes at `at`. */
function hashAt(dataView: DataView, at: number): number {
  const first = Math.imul(dataView.getInt32(at, true), 0x9e3779b1);
  return Math.imul(first ^ dataView.getInt32(at + 4, true), 0x85ebca77) >>> (32 - hashBits);
}

/** Memory that is written from front to back. */
class Output {
  readonly #bytes: Buffer;
  readonly #dataView: DataView;
  readonly #capacity: number;
  /** Bytes written so far. */
  length = 0;

  constructor(target: Buffer, maxLength: number) {
    const { bytes, dataView } = memoryOf(target);
    this.#bytes = bytes;
    this.#dataView = dataView;
    this.#capacity = Math.min(maxLength, target.length);
  }

  hasRoom(count: number): boolean {
    return this.length + count <= this.#capacity;
  }

  put(byte: number): void {
    this.#bytes[this.length++] = byte;
  }

  /**
   * Appends `count` bytes. If there is room, it copies whole groups of eight, which is faster than a call of
   * `Buffer.copy` for runs this short. The surplus bytes are overwritten by the next write.
   */
  copy({ bytes, dataView }: Memory, start: number, count: number): void {
    const to = this.length;
    this.length = to + count;
    if (start + count + 8 > bytes.length || to + count + 8 > this.#capacity) {
      for (let at = 0; at < count; at++) this.#bytes[to + at] = bytes[start + at] ?? 0;
      return;
    }
    const target = this.#dataView;
    for (let at = 0; at < count; at += 8) {
      target.setInt32(to + at, dataView.getInt32(start + at, true), true);
      target.setInt32(to + at + 4, dataView.getInt32(start + at + 4, true), true);
    }
  }
}

/** Compresses one source. */
class Encoder {
  readonly #dictionary: Dictionary;
  readonly #source: Memory;
  readonly #end: number;
  readonly #output: Output;
  /** Everything before this position of the source is encoded. */
  #encoded: number;
  /**
   * Position in the dictionary minus position in the source, after the last match. The decoder derives the same value.
   */
  #offset: number;
  /** Position of the search. The bytes from `#encoded` to here are literals. */
  #at: number;

  constructor(dictionary: Dictionary, { bytes, start, end }: ByteRange, output: Output) {
    this.#dictionary = dictionary;
    this.#source = memoryOf(bytes);
    this.#end = end;
    this.#output = output;
    this.#encoded = start;
    this.#at = start;
    this.#offset = 0 - start;
  }

  run(): number {
    while (this.#encoded < this.#end) {
      const position = this.#findMatch();
      const fits = position === notFound ? this.#putLiterals() : this.#putMatch(position);
      if (!fits) return -1;
    }
    return this.#output.length;
  }

  /**
   * Moves `#at` to the next bytes that the dictionary contains, and returns their position there. Returns `notFound` if
   * there are none within the literals of one token.
   *
   * It first tries the position at which the dictionary continues (`#offset`), which costs no hash and no position in
   * the token. The steps grow while nothing is found, so that bytes unlike the dictionary are passed quickly;
   * `#matchBefore` then extends a match backward over bytes that the steps have skipped.
   */
  #findMatch(): number {
    const { memory, length, positions } = this.#dictionary;
    const { dataView: dictionary } = memory;
    const { dataView: source } = this.#source;
    const offset = this.#offset;
    const lastInDictionary = length - 8 - offset;
    const last = Math.min(this.#end - 8, this.#encoded + maxLiterals);
    for (let at = this.#encoded, step = 8; at <= last; at += step++ >> 3) {
      this.#at = at;
      const word = source.getInt32(at, true);
      if (at <= lastInDictionary && dictionary.getInt32(at + offset, true) === word) return at + offset;
      const position = positions[hashAt(source, at)] ?? 0;
      if (dictionary.getInt32(position, true) !== word) continue;
      if (dictionary.getInt32(position + 4, true) === source.getInt32(at + 4, true)) return position;
    }
    return notFound;
  }

  /** Writes a token without a match. */
  #putLiterals(): boolean {
    this.#at = Math.min(this.#end, this.#encoded + maxLiterals);
    return this.#putToken(this.#at + this.#offset, 0);
  }

  /** Extends the match in both directions and writes its token. */
  #putMatch(found: number): boolean {
    const before = this.#matchBefore(found);
    this.#at -= before;
    return this.#putToken(found - before, this.#matchFrom(found - before));
  }

  /** Returns how many bytes before `#at` equal those before the position in the dictionary. */
  #matchBefore(position: number): number {
    const { bytes: dictionary } = this.#dictionary.memory;
    const { bytes } = this.#source;
    const at = this.#at;
    const max = Math.min(at - this.#encoded, position);
    let length = 0;
    while (length < max && bytes[at - length - 1] === dictionary[position - length - 1]) length++;
    return length;
  }

  /** Returns how many bytes from `#at` on equal those from the position in the dictionary on. */
  #matchFrom(position: number): number {
    const { memory, length: dictionaryLength } = this.#dictionary;
    const { bytes: dictionary, dataView: dictionaryView } = memory;
    const { bytes, dataView } = this.#source;
    const at = this.#at;
    const max = Math.min(this.#end - at, dictionaryLength - position, maxMatchLength);
    let length = 0;
    while (
      length + 4 <= max &&
      dataView.getInt32(at + length, true) === dictionaryView.getInt32(position + length, true)
    ) {
      length += 4;
    }
    while (length < max && bytes[at + length] === dictionary[position + length]) length++;
    return length;
  }

  /** Writes the literals up to `#at` and a match. @returns false if there is no room */
  #putToken(position: number, matchLength: number): boolean {
    const output = this.#output;
    const literals = this.#at - this.#encoded;
    const needsPosition = position - this.#at !== this.#offset;
    if (!output.hasRoom(literals + (needsPosition ? 4 : 2))) return false;
    output.put(needsPosition ? literals + hasPosition : literals);
    output.put(matchLength);
    if (needsPosition) this.#putPosition(position);
    output.copy(this.#source, this.#encoded, literals);
    this.#encoded = this.#at + matchLength;
    return true;
  }

  #putPosition(position: number): void {
    this.#output.put(position & 255);
    this.#output.put(position >> 8);
    this.#offset = position - this.#at;
  }
}
