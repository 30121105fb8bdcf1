import { ProtobufError } from "./protobuf-error.ts";

/** How the value of a field is encoded. */
export const wireTypes = { varint: 0, fixed64: 1, bytes: 2, startGroup: 3, endGroup: 4, fixed32: 5 } as const;

/** The number and wire type of a field. */
export interface Tag {
  readonly number: number;
  readonly wireType: number;
}

/** Maximum nesting depth of messages. It bounds the recursion and is far above the depth of real objects. */
const maxDepth = 1000;

/**
 * Reads the parts of protobuf messages from left to right. Accepts and refuses the same bytes as the code that
 * Kubernetes generates, with the same errors. Does not copy the bytes.
 */
export class WireReader {
  readonly #bytes: Buffer;
  #at = 0;
  /** The end of the current message. Nothing behind it is read. */
  #end: number;
  #depth = 0;
  /** The halves of the last varint. */
  #low = 0;
  #high = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#end = bytes.length;
  }

  /** True at the end of the current message. */
  get done(): boolean {
    return this.#at >= this.#end;
  }

  /** Reads the tag of the next field of a message, whose name is for errors. */
  tag(message: string): Tag {
    this.#varint();
    const number = (this.#low >>> 3) | (this.#high << 29);
    const wireType = this.#low & 7;
    if (wireType === wireTypes.endGroup) fail(`proto: ${message}: wiretype end group for non-group`);
    if (number <= 0) fail(`proto: ${message}: illegal tag ${number} (wire type ${this.#unsigned()})`);
    return { number, wireType };
  }

  /** Reads a nested message. `read` is called until the end of the message. */
  message(read: () => void): void {
    const end = this.#end;
    this.#end = this.#endOfBytes();
    this.#depth += 1;
    if (this.#depth > maxDepth) fail("exceeded max depth");
    while (!this.done) read();
    this.#depth -= 1;
    this.#at = this.#end;
    this.#end = end;
  }

  /** Reads an entry of a map, in which key and value are read as far as the message that has the map. */
  mapEntry(read: (number: number) => boolean): void {
    const end = this.#endOfBytes();
    while (this.#at < end) {
      const start = this.#at;
      this.#varint();
      if (read((this.#low >>> 3) | (this.#high << 29))) continue;
      this.#at = start;
      this.#skip(end);
    }
    this.#at = end;
  }

  /** Reads a list of numbers in one field. */
  packed(read: () => void): void {
    const end = this.#endOfBytes();
    while (this.#at < end) read();
  }

  string(): string {
    const start = this.#lengthPrefix();
    return this.#bytes.toString("utf8", start, this.#at);
  }

  bytes(): Buffer {
    const start = this.#lengthPrefix();
    return this.#bytes.subarray(start, this.#at);
  }

  boolean(): boolean {
    this.#varint();
    return this.#low !== 0 || this.#high !== 0;
  }

  int32(): number {
    this.#varint();
    return this.#low | 0;
  }

  /** Reads an integer. One that JavaScript cannot hold exactly is a `bigint`. */
  int64(): number | bigint {
    this.#varint();
    const value = (this.#high | 0) * 2 ** 32 + this.#low;
    return Number.isSafeInteger(value) ? value : BigInt.asIntN(64, this.#unsigned());
  }

  double(): number {
    if (this.#at + 8 > this.#end) fail(endOfInput);
    const value = this.#bytes.readDoubleLE(this.#at);
    this.#at += 8;
    return value;
  }

  /** Skips the value of an unknown field. */
  skip({ wireType }: Tag): void {
    this.#skipValue(wireType);
    if (this.#at > this.#end) fail(endOfInput);
  }

  /** Skips a whole field that must end before `end`. */
  #skip(end: number): void {
    this.#varint();
    this.#skipValue(this.#low & 7);
    if (this.#at > end) fail(endOfInput);
  }

  #skipValue(first: number): void {
    let depth = 0;
    for (let wireType = first; ; wireType = this.#nextWireType()) {
      if (wireType === wireTypes.startGroup) depth += 1;
      else if (wireType === wireTypes.endGroup) depth -= 1;
      else this.#skipScalar(wireType);
      if (depth < 0) fail("proto: unexpected end of group");
      if (depth === 0) return;
    }
  }

  #nextWireType(): number {
    if (this.done) fail(endOfInput);
    this.#varint();
    return this.#low & 7;
  }

  #skipScalar(wireType: number): void {
    if (wireType === wireTypes.varint) return this.#varint();
    const length = this.#scalarLength(wireType);
    this.#at += length;
  }

  #scalarLength(wireType: number): number {
    if (wireType === wireTypes.fixed64) return 8;
    if (wireType === wireTypes.fixed32) return 4;
    return wireType === wireTypes.bytes ? this.#length() : fail(`proto: illegal wireType ${wireType}`);
  }

  /** Reads a length, moves behind the bytes that follow, and returns where they start. */
  #lengthPrefix(): number {
    const end = this.#endOfBytes();
    const start = this.#at;
    this.#at = end;
    return start;
  }

  /** Reads a length and returns the index after the bytes that follow. */
  #endOfBytes(): number {
    const length = this.#length();
    const end = this.#at + length;
    return end > this.#end ? fail(endOfInput) : end;
  }

  #length(): number {
    this.#varint();
    const length = (this.#high | 0) * 2 ** 32 + this.#low;
    if (length < 0 || length + this.#at >= 2 ** 63) fail("proto: negative length found during unmarshaling");
    return length;
  }

  /** Reads up to 64 bits into both halves. Bits beyond are dropped. */
  #varint(): void {
    let [low, high] = [0, 0];
    for (let shift = 0; ; shift += 7) {
      if (shift >= 64) fail("proto: integer overflow");
      if (this.#at >= this.#end) fail(endOfInput);
      const byte = this.#bytes[this.#at++] ?? 0;
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) [low, high] = [low | (bits << 28), bits >>> 4];
      else high |= bits << (shift - 32);
      if (byte < 0x80) break;
    }
    this.#low = low >>> 0;
    this.#high = high >>> 0;
  }

  #unsigned(): bigint {
    return (BigInt(this.#high) << 32n) | BigInt(this.#low);
  }
}

const endOfInput = "unexpected EOF";

function fail(message: string): never {
  throw new ProtobufError(message);
}
