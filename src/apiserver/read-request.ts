import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import type { TLSSocket } from "node:tls";
import type { Authenticator, ClientCertificate } from "./authentication.ts";
import { maxBodyBytes } from "./body-limit.ts";
import type { ServerRequest } from "./exchange.ts";
import { joinedHeaders } from "./joined-headers.ts";
import { parseRequestTarget } from "./request-target.ts";

export type FrontRequest = IncomingMessage | Http2ServerRequest;

export interface ReadOptions {
  readonly authenticator: Authenticator;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

/** A request as the server takes it. Nothing more is read of somebody unknown. Rejects when the connection breaks. */
export async function readRequest(
  request: FrontRequest,
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

/** HTTP/2 has the host among what is no header. Node joins what came more than once, and loses where a value ends. */
function headersOf({ headers, rawHeaders }: FrontRequest): ServerRequest["headers"] {
  const { ":authority": host } = headers;
  const given = Object.entries(headers).filter(([name]) => !name.startsWith(":"));
  return { ...(host && { host: String(host) }), ...joinedHeaders([...given, ...impersonation(rawHeaders)]) };
}

/** The headers in which every value counts for itself. */
function impersonation(raw: readonly string[]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (let at = 0; at < raw.length; at += 2) {
    const [name = "", value = ""] = raw.slice(at, at + 2);
    const key = name.toLowerCase();
    if (!key.startsWith("impersonate-")) continue;
    const known = values.get(key);
    if (known) known.push(value);
    else values.set(key, [value]);
  }
  return values;
}

/**
 * The whole body; of one that is longer than the server takes, a little more than that. The rest is let go as it comes:
 * a client that is still sending would not hear the answer.
 */
function readBody(request: FrontRequest): Promise<Buffer> {
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
    request.once("close", () => reject(new Error("the connection was closed before the body was complete")));
  });
}

/** The same for all requests of a connection, so it is looked at once. */
function certificateOf(request: FrontRequest): ClientCertificate | undefined {
  const socket = request.socket as TLSSocket;
  if (!("getPeerCertificate" in socket)) return undefined;
  const known = certificates.get(socket);
  if (known) return known.shown;
  const shown = peerCertificate(socket);
  certificates.set(socket, { shown });
  return shown;
}

const certificates = new WeakMap<object, { readonly shown: ClientCertificate | undefined }>();

function peerCertificate(socket: TLSSocket): ClientCertificate | undefined {
  const { subject, fingerprint256 } = socket.getPeerCertificate();
  if (!fingerprint256) return undefined;
  const fingerprint = fingerprint256.replaceAll(":", "").toLowerCase();
  return { trusted: socket.authorized, subject: { ...subject }, fingerprint };
}
