import type { OnReadOpts, Socket } from "node:net";

/**
 * The connection an answer comes through, as that answer's reader needs it: to be held back, let go on, and cut.
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

  /** Puts it on `socket`, in place of the one before. */
  fit(socket: Socket): void {
    const read = socket.read.bind(socket);
    socket.read = (size?: number): unknown => (this.#socket === socket ? this.#read(read, size) : read(size));
    lines.set(socket, this);
    this.#socket = socket;
    this.#held = false;
    this.#lends = false;
  }

  /**
   * Whether chunks are only lent: they come in memory that the next is read into, as far as the socket can do that
   * (`readInto`). For bodies alone: of heads undici keeps pieces until they are whole.
   */
  lend(lends: boolean): void {
    this.#lends = lends;
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
    const direct = this.#lends && !this.#held && this.#socket === socket && socket.readableLength === 0;
    if (!direct) return socket.push(Buffer.from(bytes));
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

  #read(read: (size?: number) => unknown, size: number | undefined): unknown {
    if (this.#held) return null;
    if (!this.#offering) return read(size);
    const offered = this.#offered ?? null;
    this.#offered = undefined;
    return offered;
  }
}

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
