import { timestamp } from "../base/index.ts";

/**
 * Writes DER, the binary form of ASN.1 that certificates are made of: a tag, a length, the content.
 * Only what certificates need is here, and nothing is read.
 */
export const der = {
  sequence: (...parts: readonly Buffer[]): Buffer => element(0x30, Buffer.concat(parts)),
  set: (...parts: readonly Buffer[]): Buffer => element(0x31, Buffer.concat(parts)),
  boolean: (value: boolean): Buffer => element(0x01, Buffer.from([value ? 0xff : 0])),
  /** Of a number that is not negative, the most significant byte first. */
  integer: (bytes: Buffer): Buffer => element(0x02, unsigned(bytes)),
  octets: (bytes: Buffer): Buffer => element(0x04, bytes),
  /** `unused` of the last byte's bits do not count. */
  bits: (bytes: Buffer, unused = 0): Buffer => element(0x03, Buffer.concat([Buffer.from([unused]), bytes])),
  /** Written with dots: "2.5.29.17". */
  oid: (text: string): Buffer => element(0x06, oidContent(text)),
  utf8: (text: string): Buffer => element(0x0c, Buffer.from(text)),
  /** Milliseconds since the epoch, in whole seconds. Two digits of the year do until 2050. */
  time(ms: number): Buffer {
    const digits = timestamp(ms).replace(/[-:T]/g, "");
    return digits < "2050" ? element(0x17, Buffer.from(digits.slice(2))) : element(0x18, Buffer.from(digits));
  },
  /** What stands behind a number instead of a type: `constructed` where it has parts. */
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

/** One byte up to 127; else the number of bytes, and the bytes. */
function lengthBytes(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = Buffer.from(length.toString(16).padStart(length < 0x100 ? 2 : 6, "0"), "hex");
  const short = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.from([0x80 | short.length]), short]);
}

/** No more bytes than needed, and a first bit that does not read as a sign. */
function unsigned(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const short = first < 0 ? Buffer.from([0]) : bytes.subarray(first);
  return (short[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), short]) : short;
}

/** The first two numbers share one; each is written in groups of seven bits, all but the last marked. */
function oidContent(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  return Buffer.from([first * 40 + second, ...rest].flatMap(sevenBitGroups));
}

function sevenBitGroups(number: number): number[] {
  const groups = [number & 0x7f];
  for (let left = number >>> 7; left > 0; left >>>= 7) groups.unshift(0x80 | (left & 0x7f));
  return groups;
}
