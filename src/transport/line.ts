import type { Socket } from "node:net";

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
  #socket: Socket | undefined;

  /** Puts it on `socket`, in place of the one before. */
  fit(socket: Socket): void {
    const read = socket.read.bind(socket);
    socket.read = (size?: number): unknown => (this.#held && this.#socket === socket ? null : read(size));
    this.#socket = socket;
    this.#held = false;
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
}
