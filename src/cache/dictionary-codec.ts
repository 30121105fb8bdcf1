import type { ByteRange } from "./byte-range.ts";

/**
 * Packs bytes that are much like those of its dictionary, such as objects of one kind in JSON, and unpacks them again.
 * It never changes: what was packed with a dictionary can be unpacked with the same dictionary for ever, and with no
 * other. Bytes that are not like it can be packed as well, and then take up to two more for each 127.
 *
 * What is packed is a row of pieces. Each is some new bytes, and some that the dictionary has, in this order:
 * - how many are new, at most 127, and 128 more where a place is told;
 * - how many the dictionary has, at most 255;
 * - the place where it has them, where that is told, in two bytes, the lower first;
 * - those that are new.
 *
 * No place is told where the dictionary goes on as if it had as many other bytes instead of the new ones. So it mostly does:
 * objects of one kind differ in values of the same length.
 */
export class DictionaryCodec {
  readonly #dictionary: Dictionary;

  /** @param dictionary at most 64 KiB, which are copied */
  constructor(dictionary: Buffer) {
    if (dictionary.length > mostKnown) {
      throw new RangeError(`expected a dictionary of at most ${mostKnown} bytes, got ${dictionary.length}`);
    }
    this.#dictionary = dictionaryOf(dictionary);
  }

  /**
   * Packs `source` into `target`, from its beginning on.
   *
   * @param most bytes that may be written: what stands behind what is packed, up to there, is not left as it was
   * @returns how many bytes it takes, or -1 where that is more than `most`, or more than `target` has room for
   */
  pack(source: ByteRange, target: Buffer, most: number): number {
    const packer = new Encoder(this.#dictionary, source, new Output(target, most));
    return packer.run();
  }

  /**
   * Writes what was packed to `target`, from its beginning on, which has to have room for all of it. What stands behind it
   * in `target` is not left as it was.
   *
   * @returns how many bytes it is
   */
  unpack({ bytes, start, end }: ByteRange, target: Buffer): number {
    const { memory: dictionary } = this.#dictionary;
    const source = memoryOf(bytes);
    const output = new Output(target, target.length);
    let ahead = 0;
    for (let at = start; at < end; ) {
      const head = bytes[at] ?? 0;
      const known = bytes[at + 1] ?? 0;
      const fresh = head & mostFresh;
      at += 2;
      if (head >= placeTold) {
        ahead = source.words.getUint16(at, true) - output.length - fresh;
        at += 2;
      }
      output.copy(source, at, fresh);
      output.copy(dictionary, output.length + ahead, known);
      at += fresh;
    }
    return output.length;
  }
}

/** Bytes that can be read one by one, and four at a time wherever they are. */
interface Memory {
  readonly bytes: Buffer;
  readonly words: DataView;
}

interface Dictionary {
  readonly memory: Memory;
  /** Of what it has. Behind that there are eight bytes that may be read. */
  readonly length: number;
  /** Where it has the eight bytes of a hash first. There may be others: they are compared. */
  readonly places: Uint16Array;
}

const mostKnown = 64 * 1024;
const mostFresh = 127;
const placeTold = 128;
const longest = 255;
const nowhere = -1;

/** As many bits as there are in a hash: the table is small enough to stay near the processor. */
const hashBits = 13;

/** Ends in eight zeroes, which it has too: there is always a place to compare with. */
function dictionaryOf(given: Buffer): Dictionary {
  const bytes = Buffer.alloc(given.length + 8 + 8);
  bytes.set(given);
  const memory = memoryOf(bytes);
  const places = new Uint16Array(2 ** hashBits);
  for (let place = given.length - 1; place >= 0; place--) places[hashAt(memory.words, place)] = place;
  return { memory, length: given.length + 8, places };
}

function memoryOf(bytes: Buffer): Memory {
  return { bytes, words: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) };
}

/** Of the eight bytes there. */
function hashAt(words: DataView, at: number): number {
  const first = Math.imul(words.getInt32(at, true), 0x9e3779b1);
  return Math.imul(first ^ words.getInt32(at + 4, true), 0x85ebca77) >>> (32 - hashBits);
}

/** Memory that is written from front to back. */
class Output {
  readonly #bytes: Buffer;
  readonly #words: DataView;
  readonly #room: number;
  /** How far it is written. */
  length = 0;

  constructor(target: Buffer, most: number) {
    const { bytes, words } = memoryOf(target);
    this.#bytes = bytes;
    this.#words = words;
    this.#room = Math.min(most, target.length);
  }

  hasRoom(count: number): boolean {
    return this.length + count <= this.#room;
  }

  put(byte: number): void {
    this.#bytes[this.length++] = byte;
  }

  /** Where there is room, a few bytes more are copied than asked for: what comes next is written over them. */
  copy({ bytes, words }: Memory, start: number, count: number): void {
    const to = this.length;
    this.length = to + count;
    if (start + count + 8 > bytes.length || to + count + 8 > this.#room) {
      for (let at = 0; at < count; at++) this.#bytes[to + at] = bytes[start + at] ?? 0;
      return;
    }
    const target = this.#words;
    for (let at = 0; at < count; at += 8) {
      target.setInt32(to + at, words.getInt32(start + at, true), true);
      target.setInt32(to + at + 4, words.getInt32(start + at + 4, true), true);
    }
  }
}

/** Packs one text. */
class Encoder {
  readonly #dictionary: Dictionary;
  readonly #source: Memory;
  readonly #end: number;
  readonly #output: Output;
  /** How far it is packed. */
  #packed: number;
  /** Where the dictionary goes on, less where the text does. */
  #ahead: number;
  /** How far is looked: what is new from `#packed` to here. */
  #at: number;

  constructor(dictionary: Dictionary, { bytes, start, end }: ByteRange, output: Output) {
    this.#dictionary = dictionary;
    this.#source = memoryOf(bytes);
    this.#end = end;
    this.#output = output;
    this.#packed = start;
    this.#at = start;
    this.#ahead = 0 - start;
  }

  run(): number {
    while (this.#packed < this.#end) {
      const place = this.#find();
      const room = place === nowhere ? this.#putFresh() : this.#putKnown(place);
      if (!room) return -1;
    }
    return this.#output.length;
  }

  /**
   * Goes on to what the dictionary has, and says where, or `nowhere` where all that fits a piece is new. The longer nothing
   * is found, the larger the steps: what is missed by that is found backward.
   */
  #find(): number {
    const { memory, length, places } = this.#dictionary;
    const { words: known } = memory;
    const { words } = this.#source;
    const ahead = this.#ahead;
    const lastAhead = length - 8 - ahead;
    const last = Math.min(this.#end - 8, this.#packed + mostFresh);
    for (let at = this.#packed, step = 8; at <= last; at += step++ >> 3) {
      this.#at = at;
      const word = words.getInt32(at, true);
      if (at <= lastAhead && known.getInt32(at + ahead, true) === word) return at + ahead;
      const place = places[hashAt(words, at)] ?? 0;
      if (known.getInt32(place, true) !== word) continue;
      if (known.getInt32(place + 4, true) === words.getInt32(at + 4, true)) return place;
    }
    return nowhere;
  }

  #putFresh(): boolean {
    this.#at = Math.min(this.#end, this.#packed + mostFresh);
    return this.#put(this.#at + this.#ahead, 0);
  }

  #putKnown(found: number): boolean {
    const before = this.#sameBefore(found);
    this.#at -= before;
    return this.#put(found - before, this.#sameFrom(found - before));
  }

  #sameBefore(place: number): number {
    const { bytes: known } = this.#dictionary.memory;
    const { bytes } = this.#source;
    const at = this.#at;
    const most = Math.min(at - this.#packed, place);
    let same = 0;
    while (same < most && bytes[at - same - 1] === known[place - same - 1]) same++;
    return same;
  }

  #sameFrom(place: number): number {
    const { memory, length } = this.#dictionary;
    const { bytes: known, words: knownWords } = memory;
    const { bytes, words } = this.#source;
    const at = this.#at;
    const most = Math.min(this.#end - at, length - place, longest);
    let same = 0;
    while (same + 4 <= most && words.getInt32(at + same, true) === knownWords.getInt32(place + same, true)) {
      same += 4;
    }
    while (same < most && bytes[at + same] === known[place + same]) same++;
    return same;
  }

  /** What is new up to here, and so many bytes that the dictionary has at that place. Whether there was room. */
  #put(place: number, known: number): boolean {
    const output = this.#output;
    const fresh = this.#at - this.#packed;
    const told = place - this.#at !== this.#ahead;
    if (!output.hasRoom(fresh + (told ? 4 : 2))) return false;
    output.put(told ? fresh + placeTold : fresh);
    output.put(known);
    if (told) this.#tell(place);
    output.copy(this.#source, this.#packed, fresh);
    this.#packed = this.#at + known;
    return true;
  }

  #tell(place: number): void {
    this.#output.put(place & 255);
    this.#output.put(place >> 8);
    this.#ahead = place - this.#at;
  }
}
