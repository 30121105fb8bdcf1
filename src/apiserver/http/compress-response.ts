import { Readable } from "node:stream";
import { constants, createGzip } from "node:zlib";
import type { CutResponse, ServerResponse } from "../types/exchange.ts";
import { bodyChunks, bodyLength } from "../types/response-body.ts";

/** Bodies of at most this many bytes are not compressed. */
const maxUncompressedBytes = 128 * 1024;

/** Compresses a long response with gzip if the client accepts it. */
export async function compressResponse(
  response: ServerResponse | CutResponse,
  encodings = "",
): Promise<ServerResponse | CutResponse> {
  if (response.type !== "buffered" || !response.compressible || !acceptsGzip(encodings)) return response;
  if (bodyLength(response.body) <= maxUncompressedBytes) return response;
  const body = await gzipped(bodyChunks(response.body));
  const headers = { ...response.headers, "content-encoding": "gzip", vary: "Accept-Encoding" };
  return { ...response, headers, body };
}

/**
 * Returns true if the header contains gzip without a weight. Like kube-apiserver, it ignores encodings with a weight.
 */
function acceptsGzip(encodings: string): boolean {
  return encodings.split(",").some((one) => one.trim() === "gzip");
}

/** Compresses in a thread of zlib at the level that kube-apiserver uses, which favours speed over size. */
async function gzipped(chunks: readonly Buffer[]): Promise<Buffer[]> {
  const compressing = Readable.from(chunks).pipe(createGzip({ level: constants.Z_BEST_SPEED, chunkSize }));
  return compressing.toArray();
}

const chunkSize = 64 * 1024;
