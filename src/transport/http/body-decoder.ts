import { type BodyFraming, HttpParseError, maxHeadBytes, parseHeaderLine } from "./response-head.ts";

/** Finds the end of a response body, and removes the framing of chunks. */
export interface BodyDecoder {
  /**
   * Passes the body bytes in `bytes` to `onBody`, at most once, in the memory of `bytes`: the framing between chunks is
   * removed in place. Throws an `HttpParseError` for invalid framing, after the bytes before it were passed.
   * @returns true if the body is complete. Bytes after its end are ignored.
   */
  decode(bytes: Buffer, onBody: (body: Buffer) => void): boolean;
  /** True if the body may end here because the server closed the connection. */
  readonly endsWithConnection: boolean;
}

export function bodyDecoder(framing: BodyFraming): BodyDecoder {
  switch (framing.type) {
    case "chunked":
      return new ChunkedDecoder();
    case "length":
      return new LengthDecoder(framing.bytes);
    case "none":
      return new LengthDecoder(0);
    case "close":
      return untilClose;
  }
}

const untilClose: BodyDecoder = {
  endsWithConnection: true,
  decode(bytes, onBody) {
    if (bytes.length > 0) onBody(bytes);
    return false;
  },
};

class LengthDecoder implements BodyDecoder {
  readonly endsWithConnection = false;
  #remaining: number;

  constructor(bytes: number) {
    this.#remaining = bytes;
  }

  decode(bytes: Buffer, onBody: (body: Buffer) => void): boolean {
    const body = bytes.subarray(0, this.#remaining);
    this.#remaining -= body.length;
    if (body.length > 0) onBody(body);
    return this.#remaining === 0;
  }
}

/**
 * Decodes the chunked transfer coding of RFC 9112, section 7.1.
 *
 *     size [extension] CRLF data CRLF … 0 [extension] CRLF trailers CRLF
 */
export class ChunkedDecoder implements BodyDecoder {
  readonly endsWithConnection = false;
  #state: State = "size";
  /** In "size", the size read so far. In "data", the bytes of the chunk that are still missing. */
  #remaining = 0;
  /** Number of bytes read of the current size line or of all trailers. */
  #framingBytes = 0;
  /** The trailer or the chunk extensions that are being read. */
  #line = "";

  decode(bytes: Buffer, onBody: (body: Buffer) => void): boolean {
    let [start, end, next] = [0, 0, 0];
    try {
      while (next < bytes.length && this.#state !== "end") {
        if (this.#state !== "data") {
          next = this.#readFraming(bytes, next);
          continue;
        }
        const stop = this.#readData(next, bytes.length);
        if (end === 0) start = next;
        else bytes.copyWithin(end, next, stop);
        end = end === 0 ? stop : end + stop - next;
        next = stop;
      }
    } finally {
      if (end > start) onBody(bytes.subarray(start, end));
    }
    return this.#state === "end";
  }

  #readData(next: number, length: number): number {
    const stop = Math.min(next + this.#remaining, length);
    this.#remaining -= stop - next;
    if (this.#remaining === 0) this.#state = "data CR";
    return stop;
  }

  /** Reads one byte of framing, or all framing between two chunks at once. Returns the index after it. */
  #readFraming(bytes: Buffer, next: number): number {
    const data = this.#state === "data CR" ? this.#readPlainFraming(bytes, next) : next;
    if (data > next) return data;
    const byte = bytes[next] ?? 0;
    this.#framingBytes += 1;
    if (this.#framingBytes > maxHeadBytes) {
      throw new HttpParseError(
        "HPE_CHUNK_EXTENSIONS_OVERFLOW",
        `chunk framing of more than ${maxHeadBytes} bytes`,
      );
    }
    this.#state = this.#after(byte);
    return next + 1;
  }

  /**
   * Reads CRLF, size and CRLF at once if the size has no extension, as servers write it. The result is the same as byte
   * by byte, which handles everything else.
   * @returns the index of the data, or `next` if the framing is different or incomplete.
   */
  #readPlainFraming(bytes: Buffer, next: number): number {
    if (next + plainFramingBytes > bytes.length) return next;
    if (bytes[next] !== carriageReturn || bytes[next + 1] !== lineFeed) return next;
    const last = next + plainFramingBytes - 2;
    let at = next + 2;
    let size = 0;
    for (let digit = hexDigit(bytes[at] ?? 0); digit >= 0 && at < last; digit = hexDigit(bytes[at] ?? 0)) {
      size = size * 16 + digit;
      at += 1;
    }
    if (size === 0 || bytes[at] !== carriageReturn || bytes[at + 1] !== lineFeed) return next;
    this.#remaining = size;
    this.#framingBytes = 0;
    this.#state = "data";
    return at + 2;
  }

  /** Returns the state after a byte of framing. */
  #after(byte: number): State {
    switch (this.#state) {
      case "size":
        return this.#inSize(byte);
      case "extension":
        return this.#inExtension(byte);
      case "size LF":
        return this.#expect(lineFeed, byte, () => this.#afterSize());
      case "data CR":
        return this.#expect(carriageReturn, byte, () => "data LF");
      case "data LF":
        return this.#expect(lineFeed, byte, () => this.#nextChunk());
      case "trailer":
        return this.#inTrailer(byte);
      case "trailer LF":
        return this.#expect(lineFeed, byte, () => this.#afterTrailer());
      default:
        return this.#state;
    }
  }

  #expect(expected: number, byte: number, next: () => State): State {
    if (byte !== expected) throw invalidChunk(byte);
    return next();
  }

  #inSize(byte: number): State {
    const digit = hexDigit(byte);
    if (digit >= 0) {
      this.#remaining = this.#remaining * 16 + digit;
      if (this.#remaining > Number.MAX_SAFE_INTEGER) throw invalidChunk(byte);
      return "size";
    }
    if (this.#framingBytes === 1) throw invalidChunk(byte); // no digit at all
    if (byte === carriageReturn) return "size LF";
    if (byte !== semicolon) throw invalidChunk(byte);
    this.#line = ";";
    return "extension";
  }

  #inExtension(byte: number): State {
    if (byte === carriageReturn) return this.#afterExtension();
    this.#line += String.fromCharCode(byte);
    return "extension";
  }

  #afterExtension(): State {
    if (!extensions.test(this.#line)) throw invalidChunk(carriageReturn);
    this.#line = "";
    return "size LF";
  }

  #afterSize(): State {
    this.#framingBytes = 0;
    return this.#remaining === 0 ? "trailer" : "data";
  }

  #nextChunk(): State {
    this.#framingBytes = 0;
    return "size";
  }

  #inTrailer(byte: number): State {
    if (byte === carriageReturn) return "trailer LF";
    this.#line += String.fromCharCode(byte);
    return "trailer";
  }

  #afterTrailer(): State {
    if (this.#line === "") return "end";
    parseHeaderLine(this.#line);
    this.#line = "";
    return "trailer";
  }
}

/** The part that the next byte belongs to. */
type State =
  | "size"
  | "extension"
  | "size LF"
  | "data"
  | "data CR"
  | "data LF"
  | "trailer"
  | "trailer LF"
  | "end";

/** Bytes of framing between two chunks of less than 16 MB, without extensions. */
const plainFramingBytes = 10;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const semicolon = 0x3b;

/** Matches chunk extensions: names, each with an optional value that is a token or a quoted string. */
const extensions =
  /^(?:;[!#$%&'*+\-.^_`|~\w]+(?:=(?:[!#$%&'*+\-.^_`|~\w]+|"[\t \x21\x23-\x5b\x5d-\x7e]*"))?)*$/;

/** Returns the value of a hexadecimal digit, or -1. */
function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lowerCase = byte | 0x20;
  return lowerCase >= 0x61 && lowerCase <= 0x66 ? lowerCase - 0x57 : -1;
}

function invalidChunk(byte: number): HttpParseError {
  const character = JSON.stringify(String.fromCharCode(byte));
  return new HttpParseError(
    "HPE_INVALID_CHUNK_SIZE",
    `unexpected ${character} in the framing of a chunked body`,
  );
}
