import type { Socket } from "node:net";
import type { StubRequest } from "./answer.ts";
import { type Body, inParts, type Reply, type Watch } from "./reply.ts";

export type Respond = (request: StubRequest) => Reply;

/**
 * HTTP/1.1 on one connection, limited to the requests of API clients: one after another, with a content length.
 * It is hand-written because `node:http` costs several times more per request than some of the measured clients.
 * Responses are chunked, as from kube-apiserver from 2 KB on.
 */
export function serveHttp1(socket: Socket, respond: Respond): void {
  let pending: Buffer = Buffer.alloc(0);
  /** True while a long response is being sent. Later requests wait for its end. */
  let busy = false;
  // A client may disconnect at any time. Its unread data is dropped.
  socket.on("error", () => socket.destroy());
  socket.on("data", (bytes: Buffer) => {
    pending = pending.length === 0 ? bytes : Buffer.concat([pending, bytes]);
    takeRequests();
  });

  function takeRequests(): void {
    while (!busy) {
      const request = parse(pending);
      if (request === undefined) return;
      pending = pending.subarray(request.length);
      handle(request);
    }
  }

  function handle(request: Parsed): void {
    const reply = respond({ ...request, connection: socket });
    if (reply.type === "body" && size(reply.pieces) <= shortReply) {
      sendShort(socket, reply);
      finish(request);
      return;
    }
    busy = true;
    const sent = reply.type === "watch" ? sendWatch(socket, reply) : sendLong(socket, reply);
    sent.then(
      () => {
        busy = false;
        finish(request);
        takeRequests();
      },
      (error: Error) => socket.destroy(error),
    );
  }

  function finish(request: Parsed): void {
    if (request.close) socket.end();
  }
}

function sendShort(socket: Socket, reply: Body): void {
  const chunkHead = `${head(reply)}${size(reply.pieces).toString(16)}\r\n`;
  socket.write(Buffer.concat([Buffer.from(chunkHead, "latin1"), ...reply.pieces, lastChunk]));
}

/** Responses up to this size are one write. */
const shortReply = 64 * 1024;
const lastChunk = Buffer.from("\r\n0\r\n\r\n");

const size = (pieces: readonly Uint8Array[]) => pieces.reduce((sum, { length }) => sum + length, 0);

function head(reply: Reply): string {
  const status = reply.type === "body" && reply.status !== 200 ? `${reply.status} Refused` : "200 OK";
  return `HTTP/1.1 ${status}\r\nContent-Type: ${reply.contentType}\r\nCache-Control: no-cache, private\r\nTransfer-Encoding: chunked\r\n\r\n`;
}

interface Parsed {
  readonly method: string;
  readonly target: string;
  readonly accept: string;
  /** Number of bytes of the request, with its body. */
  readonly length: number;
  readonly close: boolean;
}

/** Parses the first request in the bytes, once it is complete. Its body is ignored. */
function parse(bytes: Buffer): Parsed | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const text = bytes.toString("latin1", 0, end);
  const bodyLength = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0);
  const length = end + 4 + bodyLength;
  if (bytes.length < length) return undefined;
  const [method = "", target = ""] = text.split(" ", 2);
  const accept = /\r\naccept: *([^\r]*)/i.exec(text)?.[1] ?? "";
  return { method, target, accept, length, close: /\r\nconnection: *close/i.test(text) };
}

/** Returns one HTTP chunk of any size. */
async function sendLong(socket: Socket, reply: Body): Promise<void> {
  await written(socket, Buffer.from(`${head(reply)}${size(reply.pieces).toString(16)}\r\n`, "latin1"));
  for (const part of inParts(reply.pieces, partBytes)) await written(socket, part);
  await written(socket, lastChunk);
}

const partBytes = 256 * 1024;

async function sendWatch(socket: Socket, reply: Watch): Promise<void> {
  const over = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.write(head(reply), "latin1");
  await reply.serve({
    chunked: true,
    over,
    get closed() {
      return socket.destroyed;
    },
    write: (bytes) => written(socket, bytes),
    end: () => socket.end("0\r\n\r\n"),
  });
  await over;
}

/** Resolves when the bytes are written to the kernel, or the client has disconnected. */
function written(socket: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.write(bytes, () => resolve());
  });
}
