import type { OnReadOpts, Socket } from "node:net";
import { asError } from "../base/index.ts";
import { ChunkedBody } from "./chunked-body.ts";

/**
 * The connection an answer comes through, as that answer's reader needs it: to be held back, let go on, cut, and to have
 * the body come straight from the socket.
 *
 * It stands between the socket and undici, two of whose own ways must not be used:
 *
 * - `pause`: while its parser is paused, the end or the reset of a connection that would not have been kept is an
 *   assertion that no handler can catch, and ends the process (nodejs/undici#5360, mended in 8 alone). To undici, a
 *   line on hold is a socket on which nothing comes.
 * - `abort`: it connects anew at once, with nothing to send. To undici, a cut line is a connection that broke.
 */
export class Line {
  #held = false;
  #lends = false;
  #socket: Socket | undefined;
  /** Bytes are on offer: there are these, or none until the next are read. */
  #offering = false;
  #offered: Buffer | undefined;
  /** Looks for the end of a head while one is awaited. */
  #head: HeadEnd | undefined;
  /** What was read together with a head: it comes next, also on hold. */
  #rest: Buffer | undefined;
  #tapped: Tapped | undefined;

  /** Puts it on `socket`, in place of the one before. */
  fit(socket: Socket): void {
    const read = socket.read.bind(socket);
    socket.read = (size?: number): unknown => (this.#socket === socket ? this.#read(read, size) : read(size));
    lines.set(socket, this);
    this.#socket = socket;
    this.#held = false;
    this.#lends = false;
    this.#head = undefined;
    this.#rest = undefined;
    this.#tapped = undefined;
  }

  /**
   * Whether chunks are only lent: they come in memory that the next is read into, as far as the socket can do that
   * (`readInto`). For bodies alone: of heads undici keeps pieces until they are whole.
   */
  lend(lends: boolean): void {
    this.#lends = lends;
    this.#head = undefined;
    this.#tapped = undefined;
  }

  /** Lets undici read no further than to the end of a head at a time, so that `tap` can have what follows. */
  awaitHead(): void {
    this.#head = new HeadEnd();
  }

  /**
   * From the end of a head on, hands a body in chunks to `hand`, lent and without its framing, past undici, which sees
   * only that it ends: a watch sends every event in a chunk, and each would cost undici more than it costs us to read.
   * @returns whether it does. Not where undici has read on already.
   */
  tap(hand: (body: Buffer) => void): boolean {
    if (!this.#head?.isAtEnd) return false;
    this.#head = undefined;
    this.#tapped = { body: new ChunkedBody(), hand };
    return true;
  }

  /** Stops reading, so that the sender slows down. What has been read already still comes. */
  hold(): void {
    this.#held = true;
  }

  /** Goes on. What waited is read before it returns, which undici does not allow from inside its handlers. */
  release(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#socket?.emit("readable");
  }

  /** Ends the connection. Only for the answer that is coming through it. */
  cut(): void {
    this.#socket?.destroy(new Error("cut by the reader"));
  }

  /** Takes what `socket` has read, which is lent, and says whether it shall read on. */
  take(socket: Socket, bytes: Buffer): boolean {
    const direct = !this.#held && this.#socket === socket && socket.readableLength === 0;
    if (direct && this.#tapped) {
      const left = this.#bypass(socket, this.#tapped, bytes);
      return (left.length === 0 || socket.push(left)) && !this.#held;
    }
    if (!direct || !this.#lends) return socket.push(Buffer.from(bytes));
    this.#offering = true;
    this.#offered = bytes;
    try {
      socket.emit("readable");
    } finally {
      this.#offering = false;
    }
    return this.#isTaken(socket) && !this.#held;
  }

  /** What nobody has read waits, as on any socket. */
  #isTaken(socket: Socket): boolean {
    const left = this.#offered;
    this.#offered = undefined;
    return left === undefined || socket.push(Buffer.from(left));
  }

  /** What undici reads: of what has come, what is for it. */
  #read(read: (size?: number) => unknown, size: number | undefined): unknown {
    for (;;) {
      const bytes = this.#next(read, size);
      if (!Buffer.isBuffer(bytes)) return bytes;
      if (this.#head) return this.#toHeadEnd(this.#head, bytes);
      if (!this.#tapped || !this.#socket) return bytes;
      const left = this.#bypass(this.#socket, this.#tapped, bytes);
      if (left.length > 0) return left;
    }
  }

  #next(read: (size?: number) => unknown, size: number | undefined): unknown {
    const next = this.#rest ?? this.#offered;
    this.#rest = undefined;
    this.#offered = undefined;
    if (next) return next;
    return this.#held || this.#offering ? null : read(size);
  }

  #toHeadEnd(head: HeadEnd, bytes: Buffer): Buffer {
    const end = head.in(bytes);
    if (end < bytes.length) this.#rest = bytes.subarray(end);
    return bytes.subarray(0, end);
  }

  /** Hands on what belongs to the body. @returns what does not, to keep. */
  #bypass(socket: Socket, { body, hand }: Tapped, bytes: Buffer): Buffer {
    try {
      const end = body.take(bytes, hand);
      if (!body.isOver) return none;
      this.#tapped = undefined;
      return Buffer.concat([lastSize, bytes.subarray(end)]);
    } catch (error) {
      socket.destroy(asError(error));
      return none;
    }
  }
}

interface Tapped {
  readonly body: ChunkedBody;
  readonly hand: (body: Buffer) => void;
}

/** Of the last chunk. */
const lastSize = Buffer.from("0\r\n");
const none = Buffer.alloc(0);

/** Finds where a head ends, which may lie across reads. */
class HeadEnd {
  /** So much of the end has been seen. */
  #seen = 0;

  /** Whether what has been looked at ended with a head. */
  get isAtEnd(): boolean {
    return this.#seen === headEnd.length;
  }

  /** Behind the first head's end in `bytes`, or behind all of them. */
  in(bytes: Buffer): number {
    if (this.isAtEnd) this.#seen = 0;
    for (let next = 0; next < bytes.length; next++) {
      const byte = bytes[next];
      if (byte === headEnd[this.#seen]) this.#seen += 1;
      else this.#seen = byte === headEnd[0] ? 1 : 0;
      if (this.isAtEnd) return next + 1;
    }
    return bytes.length;
  }
}

const headEnd = Buffer.from("\r\n\r\n");

/** Those that are on sockets. */
const lines = new WeakMap<Socket, Line>();

/**
 * Has sockets read into `memory`, one after the other, instead of into new memory for each chunk: that of a busy watch is
 * gone as soon as it has been read, and would have the garbage collector run several times a second.
 */
export function readInto(memory: Buffer): OnReadOpts {
  return {
    buffer: memory,
    callback(this: Socket, length: number): boolean {
      const bytes = memory.subarray(0, length);
      return lines.get(this)?.take(this, bytes) ?? this.push(Buffer.from(bytes));
    },
  };
}
