/**
 * A body in chunks, as HTTP/1.1 frames it, without the framing. It ends before the last chunk, which is empty: that one,
 * and what may stand behind it, is left to whoever reads the answers of the connection.
 */
export class ChunkedBody {
  #at: Place = "size";
  /** Of the chunk: bytes that have yet to come, or its size as far as it has been read. */
  #left = 0;
  /** Of the framing between two chunks. */
  #framing = 0;

  /**
   * Hands on what `bytes` have of the body, in one piece: the framing between is taken out in their own memory. Throws
   * where they are not framed as they should be, when what stands before that has been handed on.
   * @returns how far that went: to their end, unless the body has ended.
   */
  take(bytes: Buffer, hand: (body: Buffer) => void): number {
    let start = 0;
    let end = 0;
    let next = 0;
    try {
      while (next < bytes.length && this.#at !== "over") {
        if (this.#at !== "data") {
          next = this.#framingEnd(bytes, next);
          continue;
        }
        const stop = this.#dataEnd(next, bytes.length);
        if (end === 0) start = next;
        else bytes.copyWithin(end, next, stop);
        end = end === 0 ? stop : end + stop - next;
        next = stop;
      }
    } finally {
      if (end > start) hand(bytes.subarray(start, end));
    }
    return next;
  }

  get isOver(): boolean {
    return this.#at === "over";
  }

  /** Goes over a byte of the framing at `next`, or over all of it. */
  #framingEnd(bytes: Buffer, next: number): number {
    const data = this.#at === "data's CR" ? this.#dataAfter(bytes, next) : next;
    if (data > next) return data;
    this.#frame(bytes[next] ?? 0);
    return next + 1;
  }

  /**
   * Goes over the framing between two chunks at once, where it lies at `next` as servers write it: the size alone. It
   * comes to the same as to go over it byte by byte, which is for anything else.
   * @returns where the data begins, or `next`.
   */
  #dataAfter(bytes: Buffer, next: number): number {
    if (next + plainFraming > bytes.length) return next;
    if (bytes[next] !== carriageReturn || bytes[next + 1] !== lineFeed) return next;
    const most = next + plainFraming - 2;
    let at = next + 2;
    let size = 0;
    for (let digit = hexDigit(bytes[at] ?? 0); digit >= 0 && at < most; digit = hexDigit(bytes[at] ?? 0)) {
      size = size * 16 + digit;
      at += 1;
    }
    if (size === 0 || bytes[at] !== carriageReturn || bytes[at + 1] !== lineFeed) return next;
    this.#left = size;
    this.#framing = 0;
    this.#at = "data";
    return at + 2;
  }

  /** Goes over the chunk's data from `next` on, of which there is no more than to `most`. */
  #dataEnd(next: number, most: number): number {
    const stop = Math.min(next + this.#left, most);
    this.#left -= stop - next;
    if (this.#left === 0) this.#at = "data's CR";
    return stop;
  }

  /** Goes over one byte of the framing. */
  #frame(byte: number): void {
    this.#framing += 1;
    if (this.#framing > mostFraming) throw malformed(`the size of a chunk within ${mostFraming} bytes`, byte);
    const at = this.#after(byte);
    if (at === undefined) throw malformed(expected[this.#at], byte);
    this.#at = at;
  }

  /** Where it is after `byte`; `undefined` where that must not stand there. */
  #after(byte: number): Place | undefined {
    switch (this.#at) {
      case "size":
        return this.#inSize(byte);
      case "extension":
        return byte === carriageReturn ? "size's LF" : "extension";
      case "size's LF":
        return byte === lineFeed ? this.#afterSize() : undefined;
      case "data's CR":
        return byte === carriageReturn ? "data's LF" : undefined;
      case "data's LF":
        return byte === lineFeed ? this.#nextChunk() : undefined;
      default:
        return undefined;
    }
  }

  #inSize(byte: number): Place | undefined {
    const digit = hexDigit(byte);
    if (digit >= 0) {
      this.#left = this.#left * 16 + digit;
      return this.#left <= Number.MAX_SAFE_INTEGER ? "size" : undefined;
    }
    if (this.#framing === 1) return undefined; // no digit at all
    if (byte === carriageReturn) return "size's LF";
    return byte === semicolon || byte === space || byte === tab ? "extension" : undefined;
  }

  #afterSize(): Place {
    if (this.#left === 0) return "over";
    this.#framing = 0;
    return "data";
  }

  #nextChunk(): Place {
    this.#framing = 0;
    return "size";
  }
}

/** What comes next. */
type Place = "size" | "extension" | "size's LF" | "data" | "data's CR" | "data's LF" | "over";

const expected: Readonly<Record<Place, string>> = {
  size: "the size of a chunk",
  extension: "the end of a chunk's size",
  "size's LF": "the end of a chunk's size",
  data: "data",
  "data's CR": "the end of a chunk",
  "data's LF": "the end of a chunk",
  over: "nothing",
};

/** Bytes between two chunks of less than 16 MB, where there is nothing but the size of the second. */
const plainFraming = 10;
/** Sizes have a few digits; what may stand behind them is of no use to anybody. */
const mostFraming = 4096;

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const semicolon = 0x3b;

/** -1 where it is none. */
function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function malformed(wanted: string, byte: number): Error {
  const text = `expected ${wanted} in a body of chunks, got ${JSON.stringify(String.fromCharCode(byte))}`;
  return Object.assign(new Error(text), { code: "HPE_INVALID_CHUNK_SIZE" });
}
