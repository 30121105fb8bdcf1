import type { OnReadOpts, Socket } from "node:net";
import { asError } from "../base/index.ts";
import { ChunkedBody } from "./chunked-body.ts";

/**
 * Sits between a socket and undici, and gives the reader of a response control over the connection: pause, resume, destroy, and
 * receive the body directly from the socket.
 *
 * undici's own methods for this must not be used:
 *
 * - `pause`: while undici's parser is paused, the end or reset of a connection that would not be kept alive fails an assertion
 *   that no handler can catch, and ends the process (nodejs/undici#5360, fixed only in version 8). To undici, a paused
 *   tap is a socket without data.
 * - `abort`: undici reconnects at once, with nothing to send. To undici, a destroyed tap is a broken connection.
 */
export class ConnectionTap {
  #paused = false;
  /** True while chunks may point into the socket's reused read buffer. */
  #reusesBuffer = false;
  #socket: Socket | undefined;
  /** True while `onRead` offers `#offered` to undici. A read then returns those bytes or nothing, and never the socket's queue. */
  #offering = false;
  #offered: Buffer | undefined;
  /** Searches for the end of the response head while one is expected. */
  #head: HeadEndFinder | undefined;
  /** The bytes that were read together with the head. They are read next, even while paused. */
  #rest: Buffer | undefined;
  #tapped: TappedBody | undefined;

  /** Attaches the tap to `socket`, in place of the previous socket. */
  attach(socket: Socket): void {
    const read = socket.read.bind(socket);
    socket.read = (size?: number): unknown => (this.#socket === socket ? this.#read(read, size) : read(size));
    taps.set(socket, this);
    this.#socket = socket;
    this.#paused = false;
    this.#reusesBuffer = false;
    this.#head = undefined;
    this.#rest = undefined;
    this.#tapped = undefined;
  }

  /**
   * Sets whether chunks may point into the socket's read buffer (`readInto`), which the next read overwrites. Only for bodies: undici
   * keeps slices of a head until the head is complete.
   */
  reuseReadBuffer(reuse: boolean): void {
    this.#reusesBuffer = reuse;
    this.#head = undefined;
    this.#tapped = undefined;
  }

  /** Makes undici read no further than the end of the head, so that `tapBody` can take everything after it. */
  awaitHead(): void {
    this.#head = new HeadEndFinder();
  }

  /**
   * From the end of the head on, passes a chunked body to `onBody` directly, without its framing and in the reused read buffer. undici
   * only sees that the body ends. A watch sends every event as one chunk, and undici's work per chunk costs more than ours.
   * @returns false if undici has already read beyond the head
   */
  tapBody(onBody: (body: Buffer) => void): boolean {
    if (!this.#head?.isAtEnd) return false;
    this.#head = undefined;
    this.#tapped = { body: new ChunkedBody(), onBody };
    return true;
  }

  /** Stops reading, so that the sender slows down. Bytes that were already read are still delivered. */
  pause(): void {
    this.#paused = true;
  }

  /** Resumes reading, and delivers waiting bytes before it returns. undici does not allow this call inside its handlers. */
  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#socket?.emit("readable");
  }

  /** Closes the connection. Only the response that currently uses the connection may call this. */
  destroy(): void {
    this.#socket?.destroy(new Error("closed by the reader"));
  }

  /** Handles bytes that `socket` has read into the reused buffer. @returns true if the socket may read on */
  onRead(socket: Socket, bytes: Buffer): boolean {
    const direct = !this.#paused && this.#socket === socket && socket.readableLength === 0;
    if (direct && this.#tapped) {
      const rest = this.#bypass(socket, this.#tapped, bytes);
      return (rest.length === 0 || socket.push(rest)) && !this.#paused;
    }
    if (!direct || !this.#reusesBuffer) return socket.push(Buffer.from(bytes));
    this.#offering = true;
    this.#offered = bytes;
    try {
      socket.emit("readable");
    } finally {
      this.#offering = false;
    }
    return this.#queueUnread(socket) && !this.#paused;
  }

  /** Queues offered bytes that undici has not read, as any socket does. @returns true if the socket may read on */
  #queueUnread(socket: Socket): boolean {
    const unread = this.#offered;
    this.#offered = undefined;
    return unread === undefined || socket.push(Buffer.from(unread));
  }

  /** Replaces `socket.read` for undici: returns only the bytes that undici has to see. */
  #read(read: (size?: number) => unknown, size: number | undefined): unknown {
    for (;;) {
      const bytes = this.#next(read, size);
      if (!Buffer.isBuffer(bytes)) return bytes;
      if (this.#head) return this.#toHeadEnd(this.#head, bytes);
      if (!this.#tapped || !this.#socket) return bytes;
      const rest = this.#bypass(this.#socket, this.#tapped, bytes);
      if (rest.length > 0) return rest;
    }
  }

  #next(read: (size?: number) => unknown, size: number | undefined): unknown {
    const next = this.#rest ?? this.#offered;
    this.#rest = undefined;
    this.#offered = undefined;
    if (next) return next;
    return this.#paused || this.#offering ? null : read(size);
  }

  #toHeadEnd(head: HeadEndFinder, bytes: Buffer): Buffer {
    const end = head.in(bytes);
    if (end < bytes.length) this.#rest = bytes.subarray(end);
    return bytes.subarray(0, end);
  }

  /** Passes the bytes of the body on. @returns the bytes after the body, for undici */
  #bypass(socket: Socket, { body, onBody }: TappedBody, bytes: Buffer): Buffer {
    try {
      const end = body.push(bytes, onBody);
      if (!body.ended) return none;
      this.#tapped = undefined;
      return Buffer.concat([lastSize, bytes.subarray(end)]);
    } catch (error) {
      socket.destroy(asError(error));
      return none;
    }
  }
}

interface TappedBody {
  readonly body: ChunkedBody;
  readonly onBody: (body: Buffer) => void;
}

/** The size line of the last chunk. */
const lastSize = Buffer.from("0\r\n");
const none = Buffer.alloc(0);

/** Finds the end of a response head, which may be split across reads. */
class HeadEndFinder {
  /** Number of bytes of the terminator (CR LF CR LF) seen so far. */
  #seen = 0;

  /** True if the bytes so far end exactly at the end of a head. */
  get isAtEnd(): boolean {
    return this.#seen === headEnd.length;
  }

  /** Returns the position after the first head that ends in `bytes`, or the length of `bytes` if none ends there. */
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

/** The tap on each socket. */
const taps = new WeakMap<Socket, ConnectionTap>();

/**
 * Makes sockets read into `memory`, one after the other, instead of into new memory for each chunk. A busy watch drops its chunks
 * as soon as they are read; with new memory for each, the garbage collector runs several times per second.
 */
export function readInto(memory: Buffer): OnReadOpts {
  return {
    buffer: memory,
    callback(this: Socket, length: number): boolean {
      const bytes = memory.subarray(0, length);
      return taps.get(this)?.onRead(this, bytes) ?? this.push(Buffer.from(bytes));
    },
  };
}
