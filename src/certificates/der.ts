import { timestamp } from "../base/index.ts";

/**
 * An encoder for DER, the binary form of ASN.1 in certificates: a tag, a length and the content. It supports only what
 * certificates need, and does not decode.
 */
export const der = {
  sequence: (...parts: readonly Buffer[]): Buffer => element(0x30, Buffer.concat(parts)),
  set: (...parts: readonly Buffer[]): Buffer => element(0x31, Buffer.concat(parts)),
  boolean: (value: boolean): Buffer => element(0x01, Buffer.from([value ? 0xff : 0])),
  /** Encodes a non-negative integer from its bytes, the most significant byte first. */
  integer: (bytes: Buffer): Buffer => element(0x02, unsigned(bytes)),
  octets: (bytes: Buffer): Buffer => element(0x04, bytes),
  /** Encodes a bit string. The last `unused` bits of the last byte are ignored. */
  bits: (bytes: Buffer, unused = 0): Buffer => element(0x03, Buffer.concat([Buffer.from([unused]), bytes])),
  /** Encodes an object identifier in dotted form: "2.5.29.17". */
  oid: (text: string): Buffer => element(0x06, oidContent(text)),
  utf8: (text: string): Buffer => element(0x0c, Buffer.from(text)),
  /** Encodes a time in milliseconds since the epoch, in whole seconds. Years before 2050 have two digits. */
  time(ms: number): Buffer {
    const digits = timestamp(ms).replace(/[-:T]/g, "");
    return digits < "2050" ? element(0x17, Buffer.from(digits.slice(2))) : element(0x18, Buffer.from(digits));
  },
  /** Encodes content with a context-specific tag number. `constructed` means that the content consists of elements. */
  tagged: (number: number, content: Buffer, { constructed = false }: TagOptions = {}): Buffer =>
    element(0x80 | (constructed ? 0x20 : 0) | number, content),
};

export interface TagOptions {
  /** @default false */
  readonly constructed?: boolean | undefined;
}

function element(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag]), lengthBytes(content.length), content]);
}

/** Encodes a length: one byte up to 127, otherwise the number of bytes and the bytes. */
function lengthBytes(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = Buffer.from(length.toString(16).padStart(length < 0x100 ? 2 : 6, "0"), "hex");
  const short = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.from([0x80 | short.length]), short]);
}

/** Removes leading zero bytes, and prepends one if the first bit would be read as a sign. */
function unsigned(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const short = first < 0 ? Buffer.from([0]) : bytes.subarray(first);
  return (short[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), short]) : short;
}

/**
 * Encodes an object identifier: the first two numbers share one, and each number is in groups of seven bits, all but
 * the last marked.
 */
function oidContent(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  return Buffer.from([first * 40 + second, ...rest].flatMap(sevenBitGroups));
}

function sevenBitGroups(number: number): number[] {
  const groups = [number & 0x7f];
  for (let left = number >>> 7; left > 0; left >>>= 7) groups.unshift(0x80 | (left & 0x7f));
  return groups;
}
