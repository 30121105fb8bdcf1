import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  asError,
  type Clock,
  type Logger,
  onAbort,
  realClock,
  silentLogger,
  type Timer,
} from "../base/index.ts";
import type { KeyedCertificate } from "../certificates/index.ts";
import { ConfigError } from "../client/index.ts";
import { serverCertificate, type TlsOptions } from "./server-certificate.ts";

/** A request, as far as those who answer look at it. */
export interface HttpRequest {
  /** "GET", or "HEAD", whose answer goes out without its body. */
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** IP address of the client. Empty if the client has disconnected already. */
  readonly address: string;
  /** Aborted when the client is gone, or the server closes and wants an answer now. */
  readonly signal: AbortSignal;
}

export interface HttpReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body: string | Readable;
}

export type HttpHandler = (request: HttpRequest) => HttpReply | Promise<HttpReply>;

export interface HttpServerOptions {
  /** What is served, as the option of the manager is called: "metrics". */
  readonly name: string;
  /** 0: a free one. */
  readonly port: number;
  /** @default every address of the machine */
  readonly host?: string | undefined;
  readonly handler: HttpHandler;
  /** Serves HTTPS. Files are read anew when they change. @default HTTP */
  readonly tls?: TlsOptions | undefined;
  readonly log?: Logger | undefined;
  readonly clock?: Clock | undefined;
}

/** Serves a manager's own pages. What a handler throws is logged and answered with 500. */
export class HttpServer implements AsyncDisposable {
  readonly #options: HttpServerOptions;
  readonly #server: Server | TlsServer;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #closing = new AbortController();
  /** Every connection there is, by its other end, and how many answers are under way on it. */
  readonly #connections = new Map<string, { readonly socket: Socket; answers: number }>();
  #certificate: KeyedCertificate | undefined;
  #renewal: Timer | undefined;
  /** There once closing has begun. */
  #closed: Promise<void> | undefined;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#log = options.log ?? silentLogger;
    this.#clock = options.clock ?? realClock;
    const answer = (request: IncomingMessage, response: ServerResponse): void =>
      void this.#answer(request, response);
    this.#server = options.tls ? createTlsServer(limits, answer) : createServer(limits, answer);
    this.#server.on("connection", (socket: Socket) => {
      const end = otherEnd(socket);
      this.#connections.set(end, { socket, answers: 0 });
      socket.on("close", () => this.#connections.delete(end));
    });
  }

  /** Resolves with the port when it listens. Rejects with one clear error where it cannot, as when the port is taken. */
  async listen(): Promise<number> {
    const { port, host, tls } = this.#options;
    if (tls) this.#show(serverCertificate(tls));
    return new Promise((resolve, reject) => {
      const refuse = (error: NodeJS.ErrnoException): void => reject(cannotListen(error, this.#options));
      this.#server.once("error", refuse);
      this.#server.listen({ port, host }, () => {
        this.#server.off("error", refuse);
        this.#server.on("error", (error) => this.#log.warn("could not take a connection", { error }));
        resolve((this.#server.address() as AddressInfo).port); // a TCP server's is one
      });
    });
  }

  /** Takes no more requests, gives those under way two seconds to be answered, and lets all connections go. */
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
    for (const { socket, answers } of this.#connections.values()) if (answers === 0) socket.destroy();
    using _late = this.#clock.timer(graceMs, () => {
      for (const { socket } of this.#connections.values()) socket.destroy();
    });
    await ended;
  }

  /** Shows it to who connects from now on, and looks now and then whether there is a newer one. */
  #show(certificate: KeyedCertificate): void {
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
      this.#show(serverCertificate(tls));
    } catch (error) {
      this.#log.warn("the certificate stays as it was", { server: name, error: asError(error).message });
      this.#show(this.#certificate);
    }
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const over = new AbortController();
    using _closing = onAbort(this.#closing.signal, (reason) => over.abort(reason));
    const { socket } = incoming;
    const end = otherEnd(socket);
    this.#count(end, socket, 1);
    outgoing.on("close", () => {
      over.abort(new Error("the client is gone"));
      this.#count(end, socket, -1);
    });
    outgoing.on("error", () => {}); // the connection broke: "close" follows, and is what counts
    const { status, headers, body } = await this.#reply(incoming, over.signal);
    outgoing.writeHead(status, headers);
    if (typeof body === "string") outgoing.end(body);
    else await pipeline(body, outgoing).catch(() => {}); // nobody is left to be told
  }

  /** A connection whose last answer is out goes with the server; one that has gone before is not counted. */
  #count(end: string, socket: Socket, change: number): void {
    const connection = this.#connections.get(end);
    if (!connection) return;
    connection.answers += change;
    if (this.#closing.signal.aborted && connection.answers === 0) socket.end();
  }

  async #reply(incoming: IncomingMessage, signal: AbortSignal): Promise<HttpReply> {
    const { method = "", url = "", headers } = incoming;
    const { remoteAddress: address = "" } = incoming.socket;
    if (method !== "GET" && method !== "HEAD") return notAllowed;
    if (hasBody(headers)) return noBody;
    if (!URL.canParse(url, anywhere)) return text(400, "bad request\n");
    const { pathname: path, searchParams: query } = new URL(url, anywhere);
    try {
      return await this.#options.handler({ method, path, query, headers, address, signal });
    } catch (error) {
      this.#log.error("could not answer", { server: this.#options.name, path, error });
      return text(500, "internal server error\n");
    }
  }
}

/** A page of plain text. */
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

const noBody = text(413, "expected no body\n", { connection: "close" });

function hasBody(headers: IncomingHttpHeaders): boolean {
  const { "content-length": length = "0", "transfer-encoding": encoding } = headers;
  return length !== "0" || encoding !== undefined;
}

/** The timeouts are those of controller-runtime's servers. The headers have room for a token of 16 KiB. */
const limits = { maxHeaderSize: 32 * 1024, headersTimeout: 32_000, keepAliveTimeout: 90_000 };

const graceMs = 2000;
const renewalMs = 10_000;

/** The same for a TLS socket and for the one below it. */
function otherEnd({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** What a path is read against: its own host is never looked at. */
const anywhere = "http://localhost";

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
  EADDRINUSE: "another program listens there",
  EACCES: "this user may not listen there",
  EADDRNOTAVAIL: "this machine has no such address",
};
