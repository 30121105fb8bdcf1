import type { ServerResponse as NodeResponse } from "node:http";
import type { Socket } from "node:net";
import { settled } from "../../base/index.ts";
import type { Sink } from "../types/exchange.ts";

/**
 * Creates the sink of a chunked HTTP/1.1 response. Many responses may send the same chunk.
 *
 * Node would frame each chunk for each response, and write it to the socket at once. This sink frames a chunk once,
 * even if many responses send it, and writes the chunks of one turn of the event loop together.
 *
 * @param response The response. Its head is sent and announces a chunked body.
 * @param socket The socket of the response.
 */
export function chunkedSink(response: NodeResponse, socket: Socket): Omit<Sink, "cut"> {
  return {
    write(chunk) {
      cork(socket);
      for (const part of framed(chunk)) socket.write(part);
      return socket.writableLength < maxBufferedBytes;
    },
    onDrain(listener) {
      socket.on("drain", listener);
      response.once("close", () => socket.off("drain", listener)); // the connection outlives the response
    },
    end: () => void response.end(),
  };
}

/** Maximum of bytes that wait for a client. It is above the limit at which a socket promises a `drain` event. */
const maxBufferedBytes = 256 * 1024;

/** Corks a socket until the pending work of the event loop is done. */
function cork(socket: Socket): void {
  if (corked.has(socket)) return;
  if (corked.size === 0) void settled().then(uncorkAll);
  corked.add(socket);
  socket.cork();
}

function uncorkAll(): void {
  const sockets = [...corked];
  corked.clear();
  for (const socket of sockets) socket.uncork();
}

const corked = new Set<Socket>();

/**
 * Returns a chunk in its frame: its length in hexadecimal, the bytes, and line ends. The frame of a repeated chunk is
 * cached.
 */
function framed(chunk: Buffer): readonly Buffer[] {
  const known = framedChunks.get(chunk);
  if (known === undefined) {
    framedChunks.set(chunk, null);
    return frameParts(chunk);
  }
  const whole = known ?? [Buffer.concat(frameParts(chunk))];
  framedChunks.set(chunk, whole);
  return whole;
}

function frameParts(chunk: Buffer): readonly Buffer[] {
  return [Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, lineEnd];
}

/** Framed chunks, or `null` for a chunk that has been sent once. */
const framedChunks = new WeakMap<Buffer, readonly Buffer[] | null>();
const lineEnd = Buffer.from("\r\n");
