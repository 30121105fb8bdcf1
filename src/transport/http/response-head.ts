import { GrowingBuffer } from "../json/growing-buffer.ts";
import type { ResponseHeaders } from "../transport.ts";

/** The head of an HTTP/1.1 response. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly framing: BodyFraming;
}

/** The framing of a body, which determines its end. */
export type BodyFraming =
  | { readonly type: "none" }
  | { readonly type: "chunked" }
  | { readonly type: "length"; readonly bytes: number }
  /** The body ends when the server closes the connection. */
  | { readonly type: "close" };

/** Maximum length of a head in bytes: the default of `node:http`. */
export const maxHeadBytes: number = 16 * 1024;

/** Thrown for a response that is not valid HTTP/1.1. `code` begins with `HPE_`, like the codes of Node's parser. */
export class HttpParseError extends Error {
  override readonly name = "HttpParseError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Collects the bytes of a response head until it is complete, then parses it strictly: CRLF line ends, no folded
 * headers, no header names or values with invalid characters, one `Content-Length` of digits, no `Transfer-Encoding`
 * except `chunked`, and never both. Interim responses (1xx) are skipped.
 */
export class ResponseHeadReader {
  readonly #head = new GrowingBuffer({ minBytes: 1024 });
  /** Number of bytes of `\r\n\r\n` that `#head` ends with. */
  #matched = 0;

  /**
   * Reads bytes of the response. Throws an `HttpParseError` for a head that is invalid or too long.
   * @returns the head and the number of bytes that belong to it, or `undefined` if it is not complete.
   */
  read(bytes: Buffer): { readonly head: ResponseHead; readonly end: number } | undefined {
    let start = 0;
    for (;;) {
      const end = this.#headEnd(bytes, start);
      this.#keep(bytes, start, end);
      if (this.#matched < headEnd.length) return undefined;
      const head = parseHead(this.#text());
      if (head.status >= 200) return { head, end };
      this.#reset();
      start = end;
    }
  }

  /** Returns the index after the blank line that ends the head, or the end of the bytes. */
  #headEnd(bytes: Buffer, start: number): number {
    for (let at = start; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === headEnd[this.#matched]) this.#matched += 1;
      else this.#matched = byte === headEnd[0] ? 1 : 0;
      if (this.#matched === headEnd.length) return at + 1;
    }
    return bytes.length;
  }

  #keep(bytes: Buffer, start: number, end: number): void {
    if (this.#head.length + end - start > maxHeadBytes) {
      throw new HttpParseError("HPE_HEADER_OVERFLOW", `a response head of more than ${maxHeadBytes} bytes`);
    }
    this.#head.append(bytes, start, end);
  }

  #text(): string {
    return this.#head.bytes.toString("latin1");
  }

  #reset(): void {
    this.#head.clear();
    this.#matched = 0;
  }
}

const headEnd = Buffer.from("\r\n\r\n");

function parseHead(text: string): ResponseHead {
  const [first = "", ...lines] = text.slice(0, -headEnd.length).split("\r\n");
  const status = parseStatus(first);
  const headers: Record<string, string | string[]> = Object.create(null);
  for (const line of lines) addHeader(headers, parseHeaderLine(line));
  return { status, headers, framing: framingOf(status, headers) };
}

function parseStatus(line: string): number {
  const [, status] = /^HTTP\/1\.(?:1|0(?! 1)) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/.exec(line) ?? [];
  if (status === undefined) throw new HttpParseError("HPE_INVALID_CONSTANT", "an invalid status line");
  if (status === "101") throw new HttpParseError("HPE_INVALID_UPGRADE", "an upgrade that was not requested");
  return Number(status);
}

/** Parses a header or trailer field. Throws an `HttpParseError` if it is invalid. */
export function parseHeaderLine(line: string): readonly [name: string, value: string] {
  const [, name, value] =
    /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[\t ]*((?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)[\t ]*$/.exec(
      line,
    ) ?? [];
  if (name === undefined || value === undefined) {
    throw new HttpParseError("HPE_INVALID_HEADER_TOKEN", "an invalid header line");
  }
  return [name.toLowerCase(), value];
}

function addHeader(
  headers: Record<string, string | string[]>,
  [name, value]: readonly [string, string],
): void {
  const known = headers[name];
  if (known === undefined) headers[name] = value;
  else if (typeof known === "string") headers[name] = [known, value];
  else known.push(value);
}

function framingOf(status: number, headers: ResponseHeaders): BodyFraming {
  const { "content-length": length, "transfer-encoding": encoding } = headers;
  if (encoding !== undefined && length !== undefined) {
    throw new HttpParseError("HPE_UNEXPECTED_CONTENT_LENGTH", "both Content-Length and Transfer-Encoding");
  }
  const declared = encoding === undefined ? lengthOf(length) : chunkedOf(encoding);
  return status === 204 || status === 304 ? { type: "none" } : declared;
}

function chunkedOf(encoding: string | readonly string[]): BodyFraming {
  if (typeof encoding === "string" && encoding.toLowerCase() === "chunked") return { type: "chunked" };
  throw new HttpParseError("HPE_INVALID_TRANSFER_ENCODING", "a Transfer-Encoding other than chunked");
}

function lengthOf(length: string | readonly string[] | undefined): BodyFraming {
  if (length === undefined) return { type: "close" };
  if (typeof length === "string" && /^\d{1,15}$/.test(length))
    return { type: "length", bytes: Number(length) };
  throw new HttpParseError("HPE_INVALID_CONTENT_LENGTH", "an invalid Content-Length");
}
