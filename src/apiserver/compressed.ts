import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import type { CutResponse, ServerResponse } from "./exchange.ts";

const gzipped = promisify(gzip);

/** In bytes: what is no longer is sent as it is. */
const shortest = 128 * 1024;

/** An answer as it is sent to somebody who takes these encodings: a long one about objects in gzip, if that is one of them. */
export async function compressed(
  answer: ServerResponse | CutResponse,
  encodings = "",
): Promise<ServerResponse | CutResponse> {
  if (answer.type !== "whole" || !answer.compressible || !takesGzip(encodings)) return answer;
  if (Buffer.byteLength(answer.body) <= shortest) return answer;
  // The level of the real server: the least work, and little more to send.
  const body = await gzipped(answer.body, { level: constants.Z_BEST_SPEED });
  const headers = { ...answer.headers, "content-encoding": "gzip", vary: "Accept-Encoding" };
  return { ...answer, headers, body };
}

/** The word alone counts, as on the real server: what is said with a weight is passed over. */
function takesGzip(encodings: string): boolean {
  return encodings.split(",").some((one) => one.trim() === "gzip");
}
