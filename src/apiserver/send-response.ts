import type { ServerResponse as NodeResponse } from "node:http";
import { constants, type Http2ServerResponse } from "node:http2";
import { chunkedSink } from "./chunked-sink.ts";
import type { CutResponse, ServerResponse, Sink } from "./exchange.ts";
import { bodyLength, type ResponseBody } from "./response-body.ts";

export type FrontResponse = NodeResponse | Http2ServerResponse;

/** Sends an answer, or begins one that comes in pieces. */
export function sendResponse(response: FrontResponse, answer: ServerResponse | CutResponse): void {
  if (answer.type === "cut") return cut(response);
  const out = writable(response);
  if (answer.type === "buffered") {
    const body = encoded(answer.body);
    out.writeHead(answer.status, headersOf(answer, body));
    if (typeof body === "string" || Buffer.isBuffer(body)) out.end(body);
    else sendChunks(out, body);
  } else {
    out.writeHead(answer.status, headersOf(answer));
    out.flushHeaders();
    answer.start(sinkOf(response));
  }
}

/** Node sends a short text together with the head. Of a long one it would have to count the bytes first. */
function encoded(body: ResponseBody): ResponseBody {
  return typeof body === "string" && body.length > longText ? Buffer.from(body) : body;
}

const longText = 16 * 1024;

/** Sends some chunks when those before have left, so that other connections are served between them. */
function sendChunks(out: NodeResponse, chunks: readonly Buffer[], next = 0): void {
  if (next >= chunks.length) return void out.end();
  out.cork();
  const taken = chunks.slice(next, next + chunksAtOnce).map((chunk) => out.write(chunk));
  out.uncork();
  const goOn = (): void => sendChunks(out, chunks, next + taken.length);
  if (taken.includes(false)) out.once("drain", goOn);
  else goOn();
}

/** They are encrypted in one native call. At 64 KB each that takes less than a millisecond. */
const chunksAtOnce = 4;

/** Both kinds of Node response have the same methods; their types do not overlap. */
function writable(response: FrontResponse): NodeResponse {
  return response as NodeResponse;
}

function headersOf(answer: ServerResponse, body?: ResponseBody): Record<string, string | string[]> {
  const headers = answer.headers as Record<string, string | string[]>;
  const bodiless = body === undefined || answer.status === 304 || answer.status === 204;
  return bodiless ? headers : { ...headers, "content-length": String(bodyLength(body)) };
}

function sinkOf(response: FrontResponse): Sink {
  const out = writable(response);
  if (!("stream" in response) && out.chunkedEncoding && out.socket) {
    return { ...chunkedSink(out, out.socket), cut: () => cut(response) };
  }
  return {
    write: (chunk) => out.write(chunk),
    onDrain: (listener) => void out.on("drain", listener),
    end: () => void out.end(),
    cut: () => cut(response),
  };
}

/** What was written still leaves. HTTP/2 loses the one stream: its connection carries others. */
function cut(response: FrontResponse): void {
  if ("stream" in response) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else response.socket?.destroySoon();
}
