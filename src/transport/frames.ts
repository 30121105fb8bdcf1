/** Takes the bytes from `start` to `end` of `bytes`: one frame without its newline. */
export type OnFrame = (bytes: Buffer, start: number, end: number) => void;

/** A frame is longer than any object a Kubernetes API server stores. */
export class FrameTooLongError extends Error {
  override readonly name: string = "FrameTooLongError";
}

/**
 * Splits a body into its lines, as bytes: no string is built, and a frame that lies in one chunk is not copied.
 *
 * - Chunks are lent until `push` returns, and frames until `onFrame` does: those across chunks all come in the same memory.
 * - Frames come in order, all those that a chunk completes before `push` returns; empty lines are skipped, unless they are to be kept.
 * - What follows the last newline waits for the next chunk.
 * - A frame over `maxBytes` is refused as soon as it is known to be, so that memory stays bounded.
 */
export class Frames {
  readonly #maxBytes: number;
  readonly #keepEmpty: boolean;
  readonly #onFrame: OnFrame;
  /** Where the unfinished frame is, from the start. */
  #room: Buffer = empty;
  #carried = 0;

  constructor(onFrame: OnFrame, options: FramesOptions = {}) {
    this.#onFrame = onFrame;
    this.#maxBytes = options.maxBytes ?? 64 * 1024 * 1024;
    this.#keepEmpty = options.keepEmpty ?? false;
  }

  /** Bytes of the unfinished frame: more than none at the end of a body means that it broke off in mid-frame. */
  get unfinished(): number {
    return this.#carried;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#frame(chunk, start, end);
      start = end + 1;
    }
    if (start < chunk.length) this.#carry(chunk, start, chunk.length);
  }

  /** Hands out what follows the last newline, for bodies whose last line has none. */
  flush(): void {
    if (this.#carried > 0) this.#frame(empty, 0, 0);
  }

  #frame(chunk: Buffer, start: number, end: number): void {
    if (this.#carried === 0) {
      if (end - start > this.#maxBytes) throw this.#tooLong(end - start);
      if (end > start || this.#keepEmpty) this.#onFrame(chunk, start, end);
      return;
    }
    this.#carry(chunk, start, end);
    const frame = this.#room;
    const length = this.#carried;
    this.#carried = 0;
    if (length > mostRoom) this.#room = empty;
    this.#onFrame(frame, 0, length);
  }

  #carry(chunk: Buffer, start: number, end: number): void {
    const length = this.#carried + end - start;
    if (length > this.#maxBytes) throw this.#tooLong(length);
    if (length > this.#room.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * length, leastRoom));
      this.#room.copy(larger, 0, 0, this.#carried);
      this.#room = larger;
    }
    chunk.copy(this.#room, this.#carried, start, end);
    this.#carried = length;
  }

  #tooLong(bytes: number): FrameTooLongError {
    return new FrameTooLongError(
      `expected frames of at most ${this.#maxBytes} bytes, got one of ${bytes} or more`,
    );
  }
}

export interface FramesOptions {
  /** @default 64 MiB; an API server stores at most a few */
  readonly maxBytes?: number | undefined;
  /** Empty lines are frames too: they are nothing in a watch, and something in a log. @default false */
  readonly keepEmpty?: boolean | undefined;
}

const leastRoom = 16 * 1024;
/** Longer frames are too rare for memory to be kept for them. */
const mostRoom = 256 * 1024;

const newline = 0x0a;
const empty = Buffer.alloc(0);
