import { GrowingBuffer } from "../json/growing-buffer.ts";

/** Receives one frame without its newline: the bytes from `start` to `end` of `bytes`. */
export type OnFrame = (bytes: Buffer, start: number, end: number) => void;

/** Thrown for a frame that is longer than any object of an API server. */
export class FrameTooLongError extends Error {
  override readonly name: string = "FrameTooLongError";
}

/**
 * Splits a body into lines, as bytes. It builds no strings, and does not copy a frame that lies within one chunk.
 *
 * - A chunk has to stay valid until `push` returns. A frame is valid until `onFrame` returns: frames that span chunks
 *   share one buffer.
 * - Frames are delivered in order. `push` delivers all frames that the chunk completes. Empty lines are skipped unless
 *   `keepEmpty` is set.
 * - The bytes after the last newline wait for the next chunk.
 * - A frame longer than `maxBytes` throws as soon as its length is known, so memory is bounded.
 */
export class Frames {
  readonly #maxBytes: number;
  readonly #keepEmpty: boolean;
  readonly #source: string;
  readonly #onFrame: OnFrame;
  /** Holds the unfinished frame. */
  readonly #carried = new GrowingBuffer();

  constructor(onFrame: OnFrame, options: FramesOptions = {}) {
    this.#onFrame = onFrame;
    this.#maxBytes = options.maxBytes ?? 64 * 1024 * 1024;
    this.#keepEmpty = options.keepEmpty ?? false;
    this.#source = options.source === undefined ? "" : ` from ${options.source}`;
  }

  /** The bytes of the unfinished frame. If there are any at the end of a body, the body was truncated. */
  get unfinished(): Buffer {
    return this.#carried.bytes;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#frame(chunk, start, end);
      start = end + 1;
    }
    if (start < chunk.length) this.#carry(chunk, start, chunk.length);
  }

  /** Delivers the bytes after the last newline as a frame. */
  flush(): void {
    if (this.#carried.length > 0) this.#frame(empty, 0, 0);
  }

  #frame(chunk: Buffer, start: number, end: number): void {
    if (this.#carried.length === 0) {
      if (end - start > this.#maxBytes) throw this.#tooLong(end - start);
      if (end > start || this.#keepEmpty) this.#onFrame(chunk, start, end);
      return;
    }
    this.#carry(chunk, start, end);
    const { memory, length } = this.#carried;
    this.#carried.clear();
    this.#onFrame(memory, 0, length);
  }

  #carry(chunk: Buffer, start: number, end: number): void {
    const length = this.#carried.length + end - start;
    if (length > this.#maxBytes) throw this.#tooLong(length);
    this.#carried.append(chunk, start, end);
  }

  #tooLong(bytes: number): FrameTooLongError {
    return new FrameTooLongError(
      `expected frames of at most ${this.#maxBytes} bytes${this.#source}, got one of ${bytes} or more`,
    );
  }
}

export interface FramesOptions {
  /** Limit of a frame. @default 64 MiB; objects in an API server have a few MiB at most */
  readonly maxBytes?: number | undefined;
  /** True if empty lines are frames, as in a log. In a watch they have no meaning. @default false */
  readonly keepEmpty?: boolean | undefined;
  /** The request of the body, for messages: "GET /api/v1/pods". */
  readonly source?: string | undefined;
}

const newline = 0x0a;
const empty = Buffer.alloc(0);
