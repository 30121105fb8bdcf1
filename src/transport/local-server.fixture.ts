import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createHttpsServer, type ServerOptions } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { onTestFinished } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import type { ClusterConfig, Identity, RequestAuth, TlsMaterial } from "./config/cluster-config.ts";
import { type HttpTransportOptions, httpTransport } from "./http/http-transport.ts";
import type { ApiRequest, Transport } from "./transport.ts";

/** A server on loopback that counts its connections. */
export class LocalServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Called when a connection opens or closes. */
  readonly #watchers = new Set<() => void>();
  /** Number of accepted connections. */
  accepted = 0;

  constructor(server: Server) {
    this.#server = server;
    server.on("connection", (socket: Socket) => {
      this.accepted += 1;
      this.#sockets.add(socket);
      socket.on("error", () => {}); // tests close connections
      socket.once("close", () => {
        this.#sockets.delete(socket);
        this.#tell();
      });
      this.#tell();
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Number of open connections. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Resolves when `count` connections are open. */
  async until(count: number): Promise<void> {
    while (this.connections !== count) await this.#change();
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      const onChange = (): void => {
        this.#watchers.delete(onChange);
        resolve();
      };
      this.#watchers.add(onChange);
    });
  }

  #tell(): void {
    for (const onChange of this.#watchers) onChange();
  }
}

/** Starts an HTTP server, or HTTPS with a certificate, until the test ends. */
export function httpServer(listener: Listener, tls?: ServerOptions): Promise<LocalServer> {
  const onRequest: RequestListener = (request, response) => void listener(request, response);
  return listening(tls ? createHttpsServer(tls, onRequest) : createServer(onRequest));
}

/** Responds to a request, at once or later. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Starts a server that accepts WebSockets, over TLS with a certificate, until the test ends. */
export async function webSocketServer(
  onConnection: (socket: WebSocket, request: IncomingMessage) => void,
  options: { readonly tls?: ServerOptions; readonly accepts?: (request: IncomingMessage) => boolean } = {},
): Promise<LocalServer> {
  const server = options.tls ? createHttpsServer(options.tls) : createServer();
  const { accepts = () => true } = options;
  const sockets = new WebSocketServer({
    server,
    verifyClient: ({ req }: { readonly req: IncomingMessage }) => accepts(req),
  });
  sockets.on("connection", onConnection);
  return listening(server);
}

/** Starts a TCP server with `onConnection`, over TLS with a certificate, until the test ends. */
export function tcpServer(onConnection: (socket: Socket) => void, tls?: TlsOptions): Promise<LocalServer> {
  return listening(tls ? createTlsServer(tls, onConnection) : createTcpServer(onConnection));
}

async function listening(server: Server): Promise<LocalServer> {
  const local = new LocalServer(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => local.close());
  return local;
}

export interface TransportSetup extends HttpTransportOptions, Partial<Omit<ClusterConfig, "server">> {
  /** @default http: */
  readonly scheme?: "http" | "https";
  /** @default 127.0.0.1 */
  readonly host?: string;
  readonly basePath?: string;
  readonly tls?: TlsMaterial;
}

/** Returns a transport to `server`, which is closed when the test ends. */
export function transportTo(server: Pick<LocalServer, "port">, setup: TransportSetup = {}): Transport {
  const { scheme = setup.tls ? "https" : "http", host = "127.0.0.1", basePath = "", tls, ...rest } = setup;
  const config: ClusterConfig = {
    server: `${scheme}://${host}:${server.port}${basePath}`,
    namespace: "default",
    origin: "a test",
    identity: always({ headers: {}, tls }),
    ...rest,
  };
  const transport = httpTransport(config, rest);
  onTestFinished(() => transport.close());
  return transport;
}

export function get(path: string, more: Partial<ApiRequest> = {}): ApiRequest {
  return { method: "GET", path, ...more };
}

/** Returns an identity that never changes. */
export function always(presented: RequestAuth): Identity {
  return { current: () => presented, refused: () => false };
}

/** Returns a promise and a function that resolves it. */
export interface Gate<T = void> {
  readonly passed: Promise<T>;
  pass(value: T): void;
}

export function gate<T = void>(): Gate<T> {
  let pass: (value: T) => void = () => {};
  const passed = new Promise<T>((resolve) => {
    pass = resolve;
  });
  return { passed, pass };
}

/** Reads the complete body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Responds with JSON. */
export function reply(response: ServerResponse, body: unknown = {}, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
