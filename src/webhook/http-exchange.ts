import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { asError, type Clock } from "../base/index.ts";
import type { ReservedBytes } from "./body-budget.ts";
import { ReviewError } from "./review-error.ts";

export type HttpRequest = IncomingMessage | Http2ServerRequest;
export type HttpResponse = ServerResponse | Http2ServerResponse;

export interface BodyLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/**
 * Reads the body of a request as text. Its bytes stay reserved in the budget until the caller releases them.
 *
 * @throws {ReviewError} 413 if the body is too long, 503 if the budget is exhausted, 408 if the body does not arrive in
 *   time, 400 if the connection breaks
 */
export function readBody(
  request: HttpRequest,
  reserved: ReservedBytes,
  { maxBytes, timeoutMs, clock }: BodyLimits,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const timer = clock.timer(
      timeoutMs,
      () => fail(new ReviewError(408, `expected the body within ${timeoutMs} ms, got ${bytes} bytes of it`)),
      { background: true },
    );
    let failed = false;
    const fail = (error: unknown): void => {
      failed = true;
      timer.cancel();
      chunks.length = 0;
      reject(error);
    };
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (failed) return; // the rest is read and dropped, so that the client gets the response
      try {
        if (bytes > maxBytes) throw tooLong(maxBytes);
        reserved.add(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        fail(error);
      }
    });
    request.on("end", () => {
      timer.cancel();
      const [first] = chunks;
      resolve(first && chunks.length === 1 ? first.toString() : Buffer.concat(chunks).toString());
    });
    const broken = (): void =>
      fail(new ReviewError(400, "expected a complete body, got the end of the connection"));
    request.on("error", broken);
    request.on("aborted", broken);
  });
}

function tooLong(maxBytes: number): ReviewError {
  return new ReviewError(413, `expected a body of at most ${maxBytes} bytes, got more`);
}

/** Returns true if the request declares JSON. Parameters such as the character set are ignored. */
export function isJson({ headers }: HttpRequest): boolean {
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  return type.trim().toLowerCase() === "application/json";
}

/** Returns the time that the API server waits, from its query: `?timeout=10s`. `undefined` if there is no valid one. */
export function timeoutOf(query: URLSearchParams): number | undefined {
  const text = query.get("timeout") ?? "";
  // Anchored: an expression that searched every position would need minutes for a long text of digits.
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  return parts.reduce((sum, [, number, unit = "s"]) => sum + Number(number) * (units[unit] ?? 0), 0);
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/**
 * Returns the JSON of a body.
 *
 * @throws {TypeError} if it has none, because it contains itself or a bigint, or has too many levels
 */
export function jsonText(body: object): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    throw new TypeError(`expected a response that JSON can express, got ${asError(error).message}`, {
      cause: error,
    });
  }
}

/**
 * Sends a JSON text. The connection is closed after it if `last` is set. After a 503, API servers try again in a second.
 */
export function sendJson(
  response: HttpResponse,
  code: number,
  { text, last }: { readonly text: string; readonly last: boolean },
): void {
  const http2 = "stream" in response;
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...(code === 503 && { "retry-after": "1" }),
    ...(last && !http2 && { connection: "close" }),
  };
  if (http2) response.writeHead(code, headers);
  else response.writeHead(code, headers);
  response.end(text);
  // Ends the stream for a client that still sends its body. The response is sent before.
  if (http2 && !response.req.complete) response.stream.close();
}
