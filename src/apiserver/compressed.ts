import { Readable } from "node:stream";
import { constants, createGzip } from "node:zlib";
import type { CutResponse, ServerResponse } from "./exchange.ts";
import { bodyChunks, bodyLength } from "./response-body.ts";

/** In bytes: what is no longer is sent as it is. */
const shortest = 128 * 1024;

/** An answer as it is sent to somebody who takes these encodings: a long one about objects in gzip, if that is one of them. */
export async function compressed(
  answer: ServerResponse | CutResponse,
  encodings = "",
): Promise<ServerResponse | CutResponse> {
  if (answer.type !== "buffered" || !answer.compressible || !takesGzip(encodings)) return answer;
  if (bodyLength(answer.body) <= shortest) return answer;
  const body = await gzipped(bodyChunks(answer.body));
  const headers = { ...answer.headers, "content-encoding": "gzip", vary: "Accept-Encoding" };
  return { ...answer, headers, body };
}

/** The word alone counts, as on the real server: what is said with a weight is passed over. */
function takesGzip(encodings: string): boolean {
  return encodings.split(",").some((one) => one.trim() === "gzip");
}

/** Compresses in a thread of zlib, at the level of the real server: the least work, and little more to send. */
async function gzipped(chunks: readonly Buffer[]): Promise<Buffer[]> {
  const compressing = Readable.from(chunks).pipe(createGzip({ level: constants.Z_BEST_SPEED, chunkSize }));
  return compressing.toArray();
}

const chunkSize = 64 * 1024;
