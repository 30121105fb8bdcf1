import { createServer as createHttp } from "node:http";
import { createSecureServer } from "node:http2";
import type { AddressInfo, Server, Socket } from "node:net";
import { type Clock, isLoopback, realClock } from "../base/index.ts";
import { type Authenticator, administrator } from "./authentication.ts";
import { compressed } from "./compressed.ts";
import { ConnectionDeadlines, headerTimeoutMs } from "./connection-deadlines.ts";
import type { Handler } from "./exchange.ts";
import { type FrontRequest, readRequest } from "./read-request.ts";
import { type FrontResponse, sendResponse } from "./send-response.ts";
import { refuseUnreadable } from "./unreadable-request.ts";

export interface ListenOptions {
  /** @default a free one */
  readonly port?: number | undefined;
  /** Beyond loopback only with an authenticator that is not open. @default "127.0.0.1" */
  readonly host?: string | undefined;
  /** HTTPS with HTTP/2 and HTTP/1.1. @default plain HTTP/1.1 */
  readonly tls?: ListenTls | undefined;
  /** Who a request comes from. @default anybody is the administrator */
  readonly authenticator?: Authenticator | undefined;
  /** Measures the timeouts of connections. @default the machine's */
  readonly clock?: Clock | undefined;
}

/** Certificates and keys, in PEM. */
export interface ListenTls {
  readonly cert: string;
  readonly key: string;
  /** Whose client certificates count. @default nobody's */
  readonly clientCa?: string | undefined;
}

/** A server's door to the network. */
export interface HttpListener extends AsyncDisposable {
  /** Like "https://127.0.0.1:6443". */
  readonly url: string;
  /** Ends every request under way. Idempotent. */
  close(): Promise<void>;
}

const anybody: Authenticator = { open: true, authenticate: () => administrator };

/** Listens. Rejects with the system's error where it cannot, as when the port is taken. */
export async function listen(handler: Handler, options: ListenOptions = {}): Promise<HttpListener> {
  const { port = 0, host = "127.0.0.1", tls, authenticator = anybody, clock = realClock } = options;
  if (authenticator.open && !isLoopback(host)) {
    throw new Error(
      `expected users to listen for on ${host}, which is not loopback, got a server that is open to anybody`,
    );
  }
  const deadlines = new ConnectionDeadlines(clock);
  const serve = (request: FrontRequest, response: FrontResponse): void => {
    deadlines.serve(request, response);
    void answer(handler, { request, response, authenticator });
  };
  const server = tls ? createSecureServer(secureOptions(tls), serve) : createHttp({ maxHeaderSize }, serve);
  Object.assign(server, { maxHeaderSize }); // the only way to tell it to a secure server's HTTP/1.1
  server.on("clientError", refuseUnreadable);
  deadlines.watch(server, { secure: tls !== undefined });
  const sockets = socketsOf(server);
  await listening(server, { port, host });
  const { port: taken } = server.address() as AddressInfo; // a TCP server's is one
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= shut(server, sockets));
  return {
    url: `${tls ? "https" : "http"}://${bracketed(host)}:${taken}`,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Of a request's line and headers: what the real server takes, for selectors may be long. */
const maxHeaderSize = 1024 * 1024;

/** Of one HTTP/2 connection, in megabytes. A connection with more on its way refuses requests, and lists are large. */
const maxSessionMemory = 1024;

function secureOptions({ cert, key, clientCa }: ListenTls): object {
  const settings = { maxHeaderListSize: maxHeaderSize };
  const handshakeTimeout = headerTimeoutMs;
  const common = { cert, key, allowHTTP1: true, maxSessionMemory, settings, handshakeTimeout };
  // A certificate is no must, and one that is worth nothing is answered with 401.
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
    socket.setNoDelay(true); // or an event waits, at times 40 ms, until the one before is acknowledged
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  return sockets;
}

function shut(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of sockets) socket.destroy();
  });
}

interface Exchange {
  readonly request: FrontRequest;
  readonly response: FrontResponse;
  readonly authenticator: Authenticator;
}

async function answer(handler: Handler, { request, response, authenticator }: Exchange): Promise<void> {
  const gone = new AbortController();
  response.on("close", () => gone.abort(new Error("the client is gone")));
  response.on("error", () => {}); // the connection broke: "close" follows, and is what counts
  try {
    const asked = await readRequest(request, { authenticator, signal: gone.signal });
    if (gone.signal.aborted) return;
    sendResponse(response, await compressed(await handler.handle(asked), asked.headers["accept-encoding"]));
  } catch {
    response.destroy(); // the connection broke while the body came, or an answer could not be made: nothing can be said
  }
}

export function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
