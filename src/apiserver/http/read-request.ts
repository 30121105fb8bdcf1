import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import type { TLSSocket } from "node:tls";
import type { Authenticator, ClientCertificate } from "../auth/authentication.ts";
import { maxBodyBytes } from "../codec/body-limit.ts";
import type { ServerRequest } from "../types/exchange.ts";
import { joinedHeaders } from "../types/joined-headers.ts";
import { parseRequestTarget } from "./request-target.ts";

export type HttpServerRequest = IncomingMessage | Http2ServerRequest;

export interface ReadOptions {
  readonly authenticator: Authenticator;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Reads a request. The body of an unauthenticated request is not read. Rejects if the connection breaks. */
export async function readRequest(
  request: HttpServerRequest,
  { authenticator, signal }: ReadOptions,
): Promise<ServerRequest> {
  const headers = headersOf(request);
  const { authorization } = headers;
  const user = authenticator.authenticate({ authorization, certificate: certificateOf(request) });
  const body = user ? await readBody(request) : Buffer.alloc(0);
  return {
    method: request.method ?? "GET",
    ...parseRequestTarget(request.url ?? "/"),
    headers,
    body,
    user,
    signal,
  };
}

/**
 * Returns the headers. HTTP/2 has the host in a pseudo-header. Node joins repeated headers with commas, which does not
 * work for impersonation headers.
 */
function headersOf({ headers, rawHeaders }: HttpServerRequest): ServerRequest["headers"] {
  const { ":authority": host } = headers;
  const ordinary = Object.entries(headers).filter(([name]) => !name.startsWith(":"));
  return {
    ...(host && { host: String(host) }),
    ...joinedHeaders([...ordinary, ...impersonation(rawHeaders)]),
  };
}

/** Returns the values of impersonation headers, which must stay separate. */
function impersonation(raw: readonly string[]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (let at = 0; at < raw.length; at += 2) {
    const [name = "", value = ""] = raw.slice(at, at + 2);
    const key = name.toLowerCase();
    if (!key.startsWith("impersonate-")) continue;
    const cached = values.get(key);
    if (cached) cached.push(value);
    else values.set(key, [value]);
  }
  return values;
}

/**
 * Reads the body. Of a body above the limit, only a little more than the limit is kept, but everything is read: a
 * client that is still sending would not read the response.
 */
function readBody(request: HttpServerRequest): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      if (bytes > maxBodyBytes) return;
      chunks.push(chunk);
      bytes += chunk.length;
    });
    request.once("end", () => resolve(Buffer.concat(chunks, bytes)));
    request.once("error", reject);
    request.once("close", () => reject(new Error("connection closed before the body was complete")));
  });
}

/** Returns the client certificate. It is the same for all requests of a connection, so it is read once. */
function certificateOf(request: HttpServerRequest): ClientCertificate | undefined {
  const socket = request.socket as TLSSocket;
  if (!("getPeerCertificate" in socket)) return undefined;
  const cached = certificates.get(socket);
  if (cached) return cached.certificate;
  const certificate = peerCertificate(socket);
  certificates.set(socket, { certificate });
  return certificate;
}

const certificates = new WeakMap<object, { readonly certificate: ClientCertificate | undefined }>();

function peerCertificate(socket: TLSSocket): ClientCertificate | undefined {
  const { subject, fingerprint256 } = socket.getPeerCertificate();
  if (!fingerprint256) return undefined;
  const fingerprint = fingerprint256.replaceAll(":", "").toLowerCase();
  return { trusted: socket.authorized, subject: { ...subject }, fingerprint };
}
