import type { ServerResponse as NodeResponse } from "node:http";
import { constants, type Http2ServerResponse } from "node:http2";
import type { CutResponse, ServerResponse, Sink } from "../types/exchange.ts";
import { bodyLength, type ResponseBody } from "../types/response-body.ts";
import { chunkedSink } from "./chunked-sink.ts";

export type HttpServerResponse = NodeResponse | Http2ServerResponse;

/** Sends a buffered response, or starts a streaming one. */
export function sendResponse(response: HttpServerResponse, source: ServerResponse | CutResponse): void {
  if (source.type === "cut") return cut(response);
  const nodeResponse = writable(response);
  if (source.type === "buffered") {
    const body = encoded(source.body);
    nodeResponse.writeHead(source.status, headersOf(source, body));
    if (typeof body === "string" || Buffer.isBuffer(body)) nodeResponse.end(body);
    else sendChunks(nodeResponse, body);
  } else {
    nodeResponse.writeHead(source.status, headersOf(source));
    nodeResponse.flushHeaders();
    source.start(sinkOf(response));
  }
}

/**
 * Encodes a long text. Node sends a short text together with the head, but would count the bytes of a long one first.
 */
function encoded(body: ResponseBody): ResponseBody {
  return typeof body === "string" && body.length > maxUnencodedLength ? Buffer.from(body) : body;
}

const maxUnencodedLength = 16 * 1024;

/** Sends a few chunks at a time and waits until they are sent, so that other connections are served in between. */
function sendChunks(nodeResponse: NodeResponse, chunks: readonly Buffer[], next = 0): void {
  if (next >= chunks.length) return void nodeResponse.end();
  nodeResponse.cork();
  const accepted = chunks.slice(next, next + chunksAtOnce).map((chunk) => nodeResponse.write(chunk));
  nodeResponse.uncork();
  const sendNext = (): void => sendChunks(nodeResponse, chunks, next + accepted.length);
  if (accepted.includes(false)) nodeResponse.once("drain", sendNext);
  else sendNext();
}

/** The chunks are encrypted in one native call, which takes less than a millisecond at 64 KB each. */
const chunksAtOnce = 4;

/** Both response types of Node have the same methods, but their types do not overlap. */
function writable(response: HttpServerResponse): NodeResponse {
  return response as NodeResponse;
}

function headersOf(source: ServerResponse, body?: ResponseBody): Record<string, string | string[]> {
  const headers = source.headers as Record<string, string | string[]>;
  const bodiless = body === undefined || source.status === 304 || source.status === 204;
  return bodiless ? headers : { ...headers, "content-length": String(bodyLength(body)) };
}

function sinkOf(response: HttpServerResponse): Sink {
  const nodeResponse = writable(response);
  if (!("stream" in response) && nodeResponse.chunkedEncoding && nodeResponse.socket) {
    return { ...chunkedSink(nodeResponse, nodeResponse.socket), cut: () => cut(response) };
  }
  return {
    write: (chunk) => nodeResponse.write(chunk),
    onDrain: (listener) => void nodeResponse.on("drain", listener),
    end: () => void nodeResponse.end(),
    cut: () => cut(response),
  };
}

/**
 * Closes the connection after the written bytes are sent. HTTP/2 closes only the stream, because its connection carries
 * other requests.
 */
function cut(response: HttpServerResponse): void {
  if ("stream" in response) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else response.socket?.destroySoon();
}
