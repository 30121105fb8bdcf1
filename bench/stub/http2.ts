import { performServerHandshake, type ServerHttp2Stream } from "node:http2";
import type { Duplex } from "node:stream";
import type { Respond } from "./http1.ts";
import { inParts, type Reply, type Watch } from "./reply.ts";

/**
 * HTTP/2 on one connection, for clients that choose it.
 * Events of a watch are written in batches, which nghttp2 splits into frames.
 */
export function serveHttp2(socket: Duplex, respond: Respond): void {
  const session = performServerHandshake(socket);
  // A client may disconnect at any time. Its unread data is dropped.
  session.on("error", () => session.destroy());
  session.on("stream", (stream, headers) => {
    const reply = respond({
      method: headers[":method"] ?? "",
      target: headers[":path"] ?? "",
      accept: headers.accept ?? "",
      connection: session,
    });
    stream.on("error", () => stream.destroy());
    stream.resume();
    send(stream, reply).catch((error: Error) => stream.destroy(error));
  });
}

async function send(stream: ServerHttp2Stream, reply: Reply): Promise<void> {
  const status = reply.type === "watch" ? 200 : reply.status;
  stream.respond({ ":status": status, "content-type": reply.contentType });
  if (reply.type === "watch") return sendWatch(stream, reply);
  for (const part of inParts(reply.pieces, partBytes)) await written(stream, part);
  stream.end();
}

const partBytes = 256 * 1024;

async function sendWatch(stream: ServerHttp2Stream, { serve }: Watch): Promise<void> {
  const over = new Promise<void>((resolve) => stream.once("close", () => resolve()));
  await serve({
    chunked: false,
    over,
    get closed() {
      return stream.destroyed;
    },
    write: (bytes) => written(stream, bytes),
    end: () => stream.end(),
  });
}

/** Resolves when the bytes are written to the session, or the client has disconnected. */
function written(stream: ServerHttp2Stream, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write(bytes, () => resolve());
  });
}
