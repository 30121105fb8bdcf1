import type { ServerResponse as NodeResponse } from "node:http";
import type { Socket } from "node:net";
import { settled } from "../base/index.ts";
import type { Sink } from "./exchange.ts";

/**
 * The body of an HTTP/1.1 answer that comes in pieces, for many answers that are sent the same pieces.
 *
 * Node would put the frame of a chunk around each piece for each answer, and hand it to the system at once. Here a
 * piece is framed once, however many answers send it, and what comes while the process is busy leaves together.
 *
 * @param response whose head is sent, and says that the body comes in chunks.
 * @param socket of the response.
 */
export function chunkedSink(response: NodeResponse, socket: Socket): Omit<Sink, "cut"> {
  return {
    write(piece) {
      hold(socket);
      for (const part of chunkOf(piece)) socket.write(part);
      return socket.writableLength < maxBufferedBytes;
    },
    onDrain(listener) {
      socket.on("drain", listener);
      response.once("close", () => socket.off("drain", listener)); // the connection outlives the answer
    },
    end: () => void response.end(),
  };
}

/** So many bytes may wait for a client. More than a socket takes before it promises to tell when they have left. */
const maxBufferedBytes = 256 * 1024;

/** Keeps what is written to a connection until everything at hand is done. */
function hold(socket: Socket): void {
  if (held.has(socket)) return;
  if (held.size === 0) void settled().then(release);
  held.add(socket);
  socket.cork();
}

function release(): void {
  const sockets = [...held];
  held.clear();
  for (const socket of sockets) socket.uncork();
}

const held = new Set<Socket>();

/** A piece as a chunk: its length in hexadecimal, the piece, and line ends. What comes again is put together for good. */
function chunkOf(piece: Buffer): readonly Buffer[] {
  const known = chunks.get(piece);
  if (known === undefined) {
    chunks.set(piece, null);
    return partsOf(piece);
  }
  const whole = known ?? [Buffer.concat(partsOf(piece))];
  chunks.set(piece, whole);
  return whole;
}

function partsOf(piece: Buffer): readonly Buffer[] {
  return [Buffer.from(`${piece.length.toString(16)}\r\n`), piece, lineEnd];
}

/** `null`: sent once. */
const chunks = new WeakMap<Buffer, readonly Buffer[] | null>();
const lineEnd = Buffer.from("\r\n");
