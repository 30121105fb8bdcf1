import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  asError,
  type Clock,
  type ListenAddress,
  type Logger,
  listenAddress,
  onAbort,
  realClock,
  silentLogger,
  type Timer,
} from "../../base/index.ts";
import type { KeyedCertificate } from "../../certificates/index.ts";
import { ConfigError } from "../../client/index.ts";
import { serverCertificate, type TlsOptions } from "./server-certificate.ts";

/** The part of a request that handlers use. */
export interface HttpRequest {
  /** "GET" or "HEAD". The body of a response to HEAD is not sent. */
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** IP address of the client. Empty if the client has disconnected already. */
  readonly address: string;
  /** Aborted when the client disconnects or the server closes. */
  readonly signal: AbortSignal;
}

export interface HttpReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body: string | Readable;
}

export type HttpHandler = (request: HttpRequest) => HttpReply | Promise<HttpReply>;

export interface HttpServerOptions {
  /** Name of the manager option: "metrics" or "health". */
  readonly name: string;
  /** 0 for any free port. */
  readonly port: number;
  /** @default all addresses */
  readonly host?: string | undefined;
  readonly handler: HttpHandler;
  /** Serves HTTPS. Files are read again when they change. @default HTTP */
  readonly tls?: TlsOptions | undefined;
  readonly log?: Logger | undefined;
  readonly clock?: Clock | undefined;
}

/** An HTTP server for metrics and health checks. It logs errors of the handler and responds with 500. */
export class HttpServer implements AsyncDisposable {
  readonly #options: HttpServerOptions;
  readonly #server: Server | TlsServer;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #closing = new AbortController();
  /** Open connections by remote address, each with its number of responses in progress. */
  readonly #connections = new Map<string, { readonly socket: Socket; responses: number }>();
  #certificate: KeyedCertificate | undefined;
  #renewal: Timer | undefined;
  /** Set when `close` is called. */
  #closed: Promise<void> | undefined;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#log = options.log ?? silentLogger;
    this.#clock = options.clock ?? realClock;
    const onRequest = (request: IncomingMessage, response: ServerResponse): void =>
      void this.#respond(request, response);
    this.#server = options.tls ? createTlsServer(limits, onRequest) : createServer(limits, onRequest);
    this.#server.on("connection", (socket: Socket) => {
      const end = remoteEnd(socket);
      this.#connections.set(end, { socket, responses: 0 });
      socket.on("close", () => this.#connections.delete(end));
    });
  }

  /**
   * Resolves with the port when the server listens. Rejects with a `ConfigError` if it cannot, such as for a port in
   * use.
   */
  async listen(): Promise<number> {
    const { port, host, tls } = this.#options;
    if (tls) this.#useCertificate(serverCertificate(tls));
    return new Promise((resolve, reject) => {
      const onError = (error: NodeJS.ErrnoException): void => reject(cannotListen(error, this.#options));
      this.#server.once("error", onError);
      this.#server.listen({ port, host }, () => {
        this.#server.off("error", onError);
        this.#server.on("error", (error) => this.#log.warn("accepting a connection failed", { error }));
        resolve(this.address?.port ?? port);
      });
    });
  }

  /** `undefined` while the server does not listen. */
  get address(): ListenAddress | undefined {
    return listenAddress(this.#server);
  }

  /** Rejects new requests, gives requests in progress two seconds, and closes all connections. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#renewal?.cancel();
    const ended = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#closing.abort(new Error("the server closes"));
    for (const { socket, responses } of this.#connections.values()) if (responses === 0) socket.destroy();
    using _late = this.#clock.timer(graceMs, () => {
      for (const { socket } of this.#connections.values()) socket.destroy();
    });
    await ended;
  }

  /** Uses the certificate for new connections, and schedules the next reload. */
  #useCertificate(certificate: KeyedCertificate): void {
    const { cert, key } = certificate;
    if (cert !== this.#certificate?.cert) {
      this.#certificate = certificate;
      if ("setSecureContext" in this.#server) this.#server.setSecureContext({ cert, key });
    }
    this.#renewal = this.#clock.timer(renewalMs, () => this.#renew(), { background: true });
  }

  #renew(): void {
    const { tls, name } = this.#options;
    if (!this.#certificate || !tls || tls === true) return;
    try {
      this.#useCertificate(serverCertificate(tls));
    } catch (error) {
      this.#log.warn("certificate reload failed; keeping the current one", {
        server: name,
        error: asError(error).message,
      });
      this.#useCertificate(this.#certificate);
    }
  }

  async #respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const over = new AbortController();
    using _closing = onAbort(this.#closing.signal, (reason) => over.abort(reason));
    const { socket } = incoming;
    const end = remoteEnd(socket);
    this.#count(end, socket, 1);
    outgoing.on("close", () => {
      over.abort(new Error("the client disconnected"));
      this.#count(end, socket, -1);
    });
    outgoing.on("error", () => {}); // "close" follows
    const { status, headers, body } = await this.#reply(incoming, over.signal);
    outgoing.writeHead(status, headers);
    if (typeof body === "string") outgoing.end(body);
    else await pipeline(body, outgoing).catch(() => {}); // the client has disconnected
  }

  /** Counts a response. Closes the connection after its last response if the server is closing. */
  #count(end: string, socket: Socket, change: number): void {
    const connection = this.#connections.get(end);
    if (!connection) return;
    connection.responses += change;
    if (this.#closing.signal.aborted && connection.responses === 0) socket.end();
  }

  async #reply(incoming: IncomingMessage, signal: AbortSignal): Promise<HttpReply> {
    const { method = "", url = "", headers } = incoming;
    const { remoteAddress: address = "" } = incoming.socket;
    if (method !== "GET" && method !== "HEAD") return notAllowed;
    if (hasBody(headers)) return unexpectedBody;
    if (!URL.canParse(url, baseUrl)) return text(400, "bad request\n");
    const { pathname: path, searchParams: query } = new URL(url, baseUrl);
    try {
      return await this.#options.handler({ method, path, query, headers, address, signal });
    } catch (error) {
      this.#log.error("request handler failed", { server: this.#options.name, path, error });
      return text(500, "internal server error\n");
    }
  }
}

/** Returns a plain text response. */
export function text(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): HttpReply {
  return { status, headers: { ...plain, ...headers }, body };
}

const plain = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };

export const notFound: HttpReply = text(404, "404 page not found\n");

const notAllowed = text(405, "method not allowed\n", { allow: "GET, HEAD", connection: "close" });

const unexpectedBody = text(413, "expected no body\n", { connection: "close" });

function hasBody(headers: IncomingHttpHeaders): boolean {
  const { "content-length": length = "0", "transfer-encoding": encoding } = headers;
  return length !== "0" || encoding !== undefined;
}

/** The timeouts are those of controller-runtime's servers. The header size allows a token of 16 KiB. */
const limits = { maxHeaderSize: 32 * 1024, headersTimeout: 32_000, keepAliveTimeout: 90_000 };

const graceMs = 2000;
const renewalMs = 10_000;

/** Returns the remote address, which is the same for a TLS socket and its underlying socket. */
function remoteEnd({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Base URL for parsing paths. Its host is not used. */
const baseUrl = "http://localhost";

function cannotListen(error: NodeJS.ErrnoException, { name, port, host }: HttpServerOptions): ConfigError {
  const where = host === undefined ? `port ${port}` : `port ${port} of ${host}`;
  const why = reasons[error.code ?? ""] ?? error.message;
  return new ConfigError(
    `expected to listen on ${where} for ${name}, got ${error.code}: ${why}; ` +
      `choose another with manager({ ${name}: { port } }), or turn it off with ${name}: false`,
    { cause: error },
  );
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "another process listens there",
  EACCES: "this user may not listen there",
  EADDRNOTAVAIL: "this host has no such address",
};
