/**
 * Decodes a chunked HTTP/1.1 body: removes the framing and passes the data on. It stops before the last, empty chunk. That chunk
 * and any trailers are left for the HTTP parser of the connection.
 */
export class ChunkedBody {
  #state: State = "size";
  /** In "data": bytes of the chunk that are still missing. In "size": the size read so far. */
  #remaining = 0;
  /** Bytes of framing read since the last data. */
  #framingBytes = 0;

  /**
   * Passes the data in `bytes` to `onBody`, in one piece: it moves the data together within `bytes` itself. On invalid framing it
   * throws, after it has passed on the data before that.
   * @returns the position after the last byte used: the end of `bytes`, unless the body has ended
   */
  push(bytes: Buffer, onBody: (body: Buffer) => void): number {
    let start = 0;
    let end = 0;
    let next = 0;
    try {
      while (next < bytes.length && this.#state !== "ended") {
        if (this.#state !== "data") {
          next = this.#skipFraming(bytes, next);
          continue;
        }
        const stop = this.#skipData(next, bytes.length);
        if (end === 0) start = next;
        else bytes.copyWithin(end, next, stop);
        end = end === 0 ? stop : end + stop - next;
        next = stop;
      }
    } finally {
      if (end > start) onBody(bytes.subarray(start, end));
    }
    return next;
  }

  get ended(): boolean {
    return this.#state === "ended";
  }

  /** Steps over one byte of framing, or over all of it if it has the usual form. */
  #skipFraming(bytes: Buffer, next: number): number {
    const data = this.#state === "data's CR" ? this.#skipPlainFraming(bytes, next) : next;
    if (data > next) return data;
    this.#frame(bytes[next] ?? 0);
    return next + 1;
  }

  /**
   * Steps over the framing between two chunks at once, if it has the form that servers write: only the size. The result is the
   * same as stepping byte by byte, which handles every other form.
   * @returns the position of the data, or `next` if the framing has another form
   */
  #skipPlainFraming(bytes: Buffer, next: number): number {
    if (next + plainFraming > bytes.length) return next;
    if (bytes[next] !== carriageReturn || bytes[next + 1] !== lineFeed) return next;
    const limit = next + plainFraming - 2;
    let at = next + 2;
    let size = 0;
    for (let digit = hexDigit(bytes[at] ?? 0); digit >= 0 && at < limit; digit = hexDigit(bytes[at] ?? 0)) {
      size = size * 16 + digit;
      at += 1;
    }
    if (size === 0 || bytes[at] !== carriageReturn || bytes[at + 1] !== lineFeed) return next;
    this.#remaining = size;
    this.#framingBytes = 0;
    this.#state = "data";
    return at + 2;
  }

  /** Steps over the chunk's data from `next` on, up to `limit`. */
  #skipData(next: number, limit: number): number {
    const stop = Math.min(next + this.#remaining, limit);
    this.#remaining -= stop - next;
    if (this.#remaining === 0) this.#state = "data's CR";
    return stop;
  }

  /** Processes one byte of framing. */
  #frame(byte: number): void {
    this.#framingBytes += 1;
    if (this.#framingBytes > maxFramingBytes)
      throw malformed(`the size of a chunk within ${maxFramingBytes} bytes`, byte);
    const state = this.#stateAfter(byte);
    if (state === undefined) throw malformed(expected[this.#state], byte);
    this.#state = state;
  }

  /** Returns the state after `byte`, or `undefined` if the byte is invalid in the current state. */
  #stateAfter(byte: number): State | undefined {
    switch (this.#state) {
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

  #inSize(byte: number): State | undefined {
    const digit = hexDigit(byte);
    if (digit >= 0) {
      this.#remaining = this.#remaining * 16 + digit;
      return this.#remaining <= Number.MAX_SAFE_INTEGER ? "size" : undefined;
    }
    if (this.#framingBytes === 1) return undefined; // a size needs at least one digit
    if (byte === carriageReturn) return "size's LF";
    return byte === semicolon || byte === space || byte === tab ? "extension" : undefined;
  }

  #afterSize(): State {
    if (this.#remaining === 0) return "ended";
    this.#framingBytes = 0;
    return "data";
  }

  #nextChunk(): State {
    this.#framingBytes = 0;
    return "size";
  }
}

/** The part of the body that comes next. */
type State = "size" | "extension" | "size's LF" | "data" | "data's CR" | "data's LF" | "ended";

const expected: Readonly<Record<State, string>> = {
  size: "the size of a chunk",
  extension: "the end of a chunk's size",
  "size's LF": "the end of a chunk's size",
  data: "data",
  "data's CR": "the end of a chunk",
  "data's LF": "the end of a chunk",
  ended: "nothing",
};

/** Bytes between two chunks of less than 16 MB if the framing is only the size of the second chunk. */
const plainFraming = 10;
/** Limits the framing of a chunk: a size has a few digits, and chunk extensions are ignored. */
const maxFramingBytes = 4096;

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const semicolon = 0x3b;

/** Returns the value of a hexadecimal digit, or -1 for any other byte. */
function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function malformed(wanted: string, byte: number): Error {
  const text = `expected ${wanted} in a chunked body, got ${JSON.stringify(String.fromCharCode(byte))}`;
  return Object.assign(new Error(text), { code: "HPE_INVALID_CHUNK_SIZE" });
}
