import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import { hostname } from "node:os";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  type Clock,
  type ListenAddress,
  type Logger,
  listenAddress,
  onAbort,
  realClock,
  silentLogger,
} from "../../base/index.ts";
import { createAuthority } from "../../certificates/index.ts";
import {
  CertificateFiles,
  type CertificateSource,
  Connections,
  type FilesContext,
  GivenCertificate,
  listen,
  type TlsFiles,
} from "../../serving/index.ts";

/** The source of a server certificate: PEM files, or `true` for a generated self-signed one. */
export type TlsOptions = true | TlsFiles;

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
  readonly #connections = new Connections();
  /** `undefined` for HTTP. */
  readonly #certificates: CertificateSource | undefined;
  /** Set when `close` is called. */
  #closed: Promise<void> | undefined;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#log = options.log ?? silentLogger;
    this.#clock = options.clock ?? realClock;
    const onRequest = (request: IncomingMessage, response: ServerResponse): void =>
      void this.#respond(request, response);
    this.#server = options.tls ? createTlsServer(limits, onRequest) : createServer(limits, onRequest);
    this.#connections.watch(this.#server);
    const context = { server: options.name, log: this.#log, clock: this.#clock };
    this.#certificates = options.tls && certificatesOf(options.tls, context);
  }

  /**
   * Resolves with the port when the server listens. Rejects with a `ConfigError` if it cannot, such as for a port in
   * use.
   */
  async listen(): Promise<number> {
    const { name, port, host } = this.#options;
    await this.#certificates?.start();
    this.#useCertificate();
    this.#certificates?.onChange(() => this.#useCertificate());
    const advice = `choose another with manager({ ${name}: { port } }), or turn it off with ${name}: false`;
    return listen(this.#server, { name, port, host, advice, log: this.#log });
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
    const ended = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#closing.abort(new Error("the server closes"));
    this.#connections.close();
    using _late = this.#clock.timer(graceMs, () => this.#connections.destroy());
    await ended;
    await this.#certificates?.[Symbol.asyncDispose]();
  }

  /** Uses the current certificate for new connections. */
  #useCertificate(): void {
    if (!this.#certificates || !("setSecureContext" in this.#server)) return;
    const { cert, key } = this.#certificates.current;
    this.#server.setSecureContext({ cert, key });
  }

  async #respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const over = new AbortController();
    using _closing = onAbort(this.#closing.signal, (reason) => over.abort(reason));
    this.#connections.serve(incoming, outgoing);
    outgoing.on("close", () => over.abort(new Error("the client disconnected")));
    outgoing.on("error", () => {}); // "close" follows
    const { status, headers, body } = await this.#reply(incoming, over.signal);
    outgoing.writeHead(status, headers);
    if (typeof body === "string") outgoing.end(body);
    else await pipeline(body, outgoing).catch(() => {}); // the client has disconnected
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

function certificatesOf(tls: TlsOptions, context: FilesContext): CertificateSource {
  if (tls !== true) return new CertificateFiles(tls, context);
  const authority = createAuthority("trimtab");
  const certificate = authority.server(["localhost", "127.0.0.1", hostname()]);
  return new GivenCertificate({ ...certificate, ca: authority.cert });
}

/** Base URL for parsing paths. Its host is not used. */
const baseUrl = "http://localhost";
