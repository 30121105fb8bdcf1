import { createServer as createHttp } from "node:http";
import { createSecureServer } from "node:http2";
import type { AddressInfo, Server, Socket } from "node:net";
import { type Clock, isLoopback, realClock } from "../../base/index.ts";
import { type Authenticator, administrator } from "../auth/authentication.ts";
import type { Handler } from "../types/exchange.ts";
import { compressResponse } from "./compress-response.ts";
import { ConnectionDeadlines, headerTimeoutMs } from "./connection-deadlines.ts";
import { type HttpServerRequest, readRequest } from "./read-request.ts";
import { type HttpServerResponse, sendResponse } from "./send-response.ts";
import { refuseUnreadable } from "./unreadable-request.ts";

export interface ListenOptions {
  /** @default a free port */
  readonly port?: number | undefined;
  /** The address to listen on. Beyond loopback, the authenticator must not be open. @default "127.0.0.1" */
  readonly host?: string | undefined;
  /** HTTPS with HTTP/2 and HTTP/1.1. @default plain HTTP/1.1 */
  readonly tls?: ListenTls | undefined;
  /** Authenticates requests. @default an open authenticator: every user is the administrator */
  readonly authenticator?: Authenticator | undefined;
  /** Measures the timeouts of connections. @default the system clock */
  readonly clock?: Clock | undefined;
}

/** Certificates and keys, in PEM. */
export interface ListenTls {
  readonly cert: string;
  readonly key: string;
  /** The CA of client certificates. @default none, client certificates are not requested */
  readonly clientCa?: string | undefined;
}

/** A listening HTTP server. */
export interface HttpListener extends AsyncDisposable {
  /** The URL, such as "https://127.0.0.1:6443". */
  readonly url: string;
  /** Closes all connections, including those with requests in flight. Idempotent. */
  close(): Promise<void>;
}

const openAuthenticator: Authenticator = { open: true, authenticate: () => administrator };

/** Listens for requests. Rejects with the system's error if it cannot, for example because the port is in use. */
export async function listen(handler: Handler, options: ListenOptions = {}): Promise<HttpListener> {
  const { port = 0, host = "127.0.0.1", tls, authenticator = openAuthenticator, clock = realClock } = options;
  if (authenticator.open && !isLoopback(host)) {
    throw new Error(
      `expected a server with users on ${host}, which is not loopback, got one without authentication; set users or listen on 127.0.0.1`,
    );
  }
  const deadlines = new ConnectionDeadlines(clock);
  const serve = (request: HttpServerRequest, response: HttpServerResponse): void => {
    deadlines.serve(request, response);
    void serveRequest(handler, { request, response, authenticator });
  };
  const server = tls ? createSecureServer(secureOptions(tls), serve) : createHttp({ maxHeaderSize }, serve);
  Object.assign(server, { maxHeaderSize }); // the only way to set it for HTTP/1.1 on a secure server
  server.on("clientError", refuseUnreadable);
  deadlines.watch(server, { secure: tls !== undefined });
  const sockets = socketsOf(server);
  await listening(server, { port, host });
  const { port: taken } = server.address() as AddressInfo; // the address of a TCP server
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= closeServer(server, sockets));
  return {
    url: `${tls ? "https" : "http"}://${bracketed(host)}:${taken}`,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Maximum bytes of a request line and headers, as on kube-apiserver, because selectors may be long. */
const maxHeaderSize = 1024 * 1024;

/**
 * Maximum memory of one HTTP/2 connection in megabytes. A connection above it refuses requests, and lists are large.
 */
const maxSessionMemory = 1024;

function secureOptions({ cert, key, clientCa }: ListenTls): object {
  const settings = { maxHeaderListSize: maxHeaderSize };
  const handshakeTimeout = headerTimeoutMs;
  const common = { cert, key, allowHTTP1: true, maxSessionMemory, settings, handshakeTimeout };
  // A client certificate is optional, and an invalid one is refused with a 401.
  return clientCa === undefined
    ? common
    : { ...common, ca: clientCa, requestCert: true, rejectUnauthorized: false };
}

function listening(server: Server, at: { readonly port: number; readonly host: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(at, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function socketsOf(server: Server): Set<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    socket.setNoDelay(true); // with Nagle's algorithm an event waits up to 40 ms for an acknowledgement
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  return sockets;
}

function closeServer(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of sockets) socket.destroy();
  });
}

interface Exchange {
  readonly request: HttpServerRequest;
  readonly response: HttpServerResponse;
  readonly authenticator: Authenticator;
}

async function serveRequest(handler: Handler, { request, response, authenticator }: Exchange): Promise<void> {
  const disconnected = new AbortController();
  response.on("close", () => disconnected.abort(new Error("client disconnected")));
  response.on("error", () => {}); // "close" follows and aborts the signal
  try {
    const received = await readRequest(request, { authenticator, signal: disconnected.signal });
    if (disconnected.signal.aborted) return;
    sendResponse(
      response,
      await compressResponse(await handler.handle(received), received.headers["accept-encoding"]),
    );
  } catch {
    response.destroy(); // the connection broke, or no response could be made, so nothing can be sent
  }
}

export function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
