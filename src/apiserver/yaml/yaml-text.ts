import { isUtf8 } from "node:buffer";
import { JsonSyntaxError } from "../../schema/index.ts";

/**
 * Decodes the bytes of YAML: UTF-8, or UTF-16 with a byte order mark. Throws `JsonSyntaxError` if Go's parser does not
 * accept them.
 */
export function yamlText(bytes: Buffer): string {
  const text = unmarked(decoded(bytes));
  if (forbidden.test(text)) throw new JsonSyntaxError("yaml: control characters are not allowed");
  return text;
}

/** Characters that YAML does not allow: most control characters, and byte order marks except the first. */
const forbidden = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

function decoded(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString("utf16le");
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return swapped(bytes).toString("utf16le");
  if (!isUtf8(bytes)) throw new JsonSyntaxError(`yaml: ${utf8Problem(bytes)}`);
  return bytes.toString();
}

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16();
}

function unmarked(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** Returns the message of Go's parser for the first invalid UTF-8 sequence. */
function utf8Problem(bytes: Buffer): string {
  for (let at = 0; at < bytes.length; ) {
    const width = widthOf(bytes[at] ?? 0);
    const sequence = bytes.subarray(at, at + width);
    if (!isUtf8(sequence) || width === 0) return sequenceProblem(sequence, width);
    at += width;
  }
  return "incomplete UTF-8 octet sequence";
}

/** Returns the number of bytes in a sequence with this first byte; 0 if it is invalid. */
function widthOf(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead >> 5 === 0b110) return 2;
  if (lead >> 4 === 0b1110) return 3;
  return lead >> 3 === 0b11110 ? 4 : 0;
}

function sequenceProblem(sequence: Buffer, width: number): string {
  if (width === 0) return "invalid leading UTF-8 octet";
  if (sequence.length < width) return "incomplete UTF-8 octet sequence";
  const [lead = 0, ...trailing] = sequence;
  if (trailing.some((octet) => octet >> 6 !== 0b10)) return "invalid trailing UTF-8 octet";
  const start = lead & (0xff >> (width + 1));
  const value = trailing.reduce((sum, octet) => sum * 64 + (octet & 0x3f), start);
  return value < (smallest[width] ?? 0) ? "invalid length of a UTF-8 sequence" : "invalid Unicode character";
}

/** The smallest code point that needs each number of bytes. */
const smallest: readonly number[] = [0, 0, 0x80, 0x800, 0x10000];
