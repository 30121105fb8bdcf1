import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createHttpsServer, type ServerOptions } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { onTestFinished } from "vitest";
import type { ClusterConfig, Identity, RequestAuth, TlsMaterial } from "./cluster-config.ts";
import { type HttpTransportOptions, httpTransport } from "./http-transport.ts";
import type { ApiRequest, Transport } from "./transport.ts";

/** A server on loopback that knows its connections. */
export class LocalServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Told when a connection has come or gone. */
  readonly #watchers = new Set<() => void>();
  /** Connections that have come so far. */
  accepted = 0;

  constructor(server: Server) {
    this.#server = server;
    server.on("connection", (socket: Socket) => {
      this.accepted += 1;
      this.#sockets.add(socket);
      socket.on("error", () => {}); // clients that hang up are what is tested
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

  /** Connections that are there now. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Resolves when there are `count` connections. */
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
      const told = (): void => {
        this.#watchers.delete(told);
        resolve();
      };
      this.#watchers.add(told);
    });
  }

  #tell(): void {
    for (const told of this.#watchers) told();
  }
}

/** Speaks HTTP, or HTTPS where there is a certificate, until the test ends. */
export function httpServer(listener: Listener, tls?: ServerOptions): Promise<LocalServer> {
  const onRequest: RequestListener = (request, response) => void listener(request, response);
  return listening(tls ? createHttpsServer(tls, onRequest) : createServer(onRequest));
}

/** Answers a request, at once or in its own time. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Speaks whatever `onConnection` says, over TLS where there is a certificate, until the test ends. */
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

/** A transport to `server`, closed when the test ends. */
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

/** An identity that never changes. */
export function always(presented: RequestAuth): Identity {
  return { current: () => presented, refused: () => false };
}

/** A promise and the way to settle it. */
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

/** The whole body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Answers with JSON. */
export function reply(response: ServerResponse, body: unknown = {}, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
