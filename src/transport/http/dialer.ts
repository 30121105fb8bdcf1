import type { OnReadOpts, Socket } from "node:net";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import type { buildConnector as connectors } from "undici";
import { asError, onAbort } from "../../base/index.ts";
import type { TlsMaterial } from "../config/cluster-config.ts";
import { asProxyError } from "./proxy-error.ts";
import type { SocketReader, StreamDialer } from "./stream-connection.ts";

export interface DialerOptions {
  /** `undefined` for a server that speaks no TLS. */
  readonly tls: TlsMaterial | undefined;
  readonly proxyUrl: string | undefined;
  /** Time limit for opening a connection, and for each step of connecting through a proxy. */
  readonly timeoutMs: number;
  /** The server. */
  readonly target: connectors.Options;
  readonly buildConnector: typeof connectors;
}

/**
 * Opens connections to one server, directly or through a proxy, with or without TLS: for the pools of undici
 * (`connect`), and for streaming responses (`dial`). It can close all of them.
 */
export class Dialer implements StreamDialer {
  /** Sockets that are open or connecting. */
  readonly #sockets = new Set<Socket>();
  readonly #options: DialerOptions;
  readonly #proxy: URL | undefined;
  #toServer: Connect | undefined;
  #toServerForStreams: Connect | undefined;
  #toProxy: Connect | undefined;
  #closed = false;

  constructor(options: DialerOptions) {
    this.#options = options;
    this.#proxy = options.proxyUrl === undefined ? undefined : new URL(options.proxyUrl);
  }

  /**
   * Opens a connection for undici. Throws for an unreadable certificate or key, which undici treats as a failure to
   * connect.
   */
  readonly connect: connectors.connector = (target, callback) => this.#connect(target, callback, () => {});

  #connect(target: connectors.Options, callback: connectors.Callback, onSocket: OnSocket): void {
    this.#toServer ??= this.#connector(serverTls(this.#options.tls));
    if (this.#proxy) this.#connectThrough(this.#proxy, target, { callback, onSocket });
    else onSocket(this.#toServer(target, callback));
  }

  /** Opens a connection that the caller reads. The caller closes it. */
  open(signal: AbortSignal | undefined): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const cancel = this.#dial(undefined, (error, socket) => {
        aborted[Symbol.dispose]();
        if (socket) resolve(socket);
        else reject(error ?? connectionCancelled());
      });
      const aborted = onAbort(signal, (reason) => {
        cancel();
        reject(asError(reason));
      });
    });
  }

  /**
   * Opens a connection for a streaming response. Except through proxies and on Windows, sockets read into one shared
   * buffer: a buffer per read would make a busy watch trigger the garbage collector several times a second.
   */
  dial(read: SocketReader, done: OnDialed): () => void {
    return this.#dial(read, done);
  }

  #dial(read: SocketReader | undefined, done: OnDialed): () => void {
    /** The sockets of this connection, with one to a proxy. They are destroyed if the connection is cancelled. */
    const sockets: Socket[] = [];
    let cancelled = false;
    const direct = read && !this.#proxy && process.platform !== "win32"; // on Windows, a waiting socket keeps its buffer
    const callback: connectors.Callback = (...[error, socket]) => {
      if (cancelled) return void socket?.destroy();
      if (!socket) return done(error ?? undefined, undefined);
      if (direct) readers.set(socket, read);
      else if (read) socket.on("data", (bytes: Buffer) => void (read(bytes) || socket.pause()));
      done(undefined, socket);
    };
    const onSocket = (socket: Socket): void => {
      sockets.push(socket);
      if (cancelled) socket.destroy(connectionCancelled());
    };
    try {
      if (direct) onSocket(this.#connectorForStreams()(this.#options.target, callback));
      else this.#connect(this.#options.target, callback, onSocket);
    } catch (error) {
      queueMicrotask(() => callback(asError(error), null));
    }
    return () => {
      cancelled = true;
      for (const socket of sockets) socket.destroy(connectionCancelled());
    };
  }

  #connectorForStreams(): Connect {
    this.#toServerForStreams ??= this.#connector({
      ...serverTls(this.#options.tls),
      onread: readInto(Buffer.allocUnsafeSlow(64 * 1024)),
    });
    return this.#toServerForStreams;
  }

  /** Closes every connection, including those that are still connecting. */
  close(): void {
    this.#closed = true;
    for (const socket of this.#sockets) socket.destroy(transportClosed());
  }

  #connectThrough(proxy: URL, target: connectors.Options, { callback, onSocket }: Connecting): void {
    const secure = target.protocol === "https:";
    const connected = (socket: Socket): void => {
      if (!secure || !this.#toServer) callback(null, socket);
      else onSocket(this.#toServer({ ...target, httpSocket: socket }, callback));
    };
    this.#tunnel(proxy, target, onSocket).then(connected, (error: unknown) =>
      callback(this.#closed ? transportClosed() : asProxyError(proxy, error), null),
    );
  }

  async #tunnel(proxy: URL, target: connectors.Options, onSocket: OnSocket): Promise<Socket> {
    const { httpTunnel, socks5Tunnel } = await tunnels();
    if (this.#closed) throw transportClosed();
    this.#toProxy ??= this.#connector(proxyTls(this.#options.tls));
    const toProxy = this.#toProxy;
    // undici would use the server's name for the TLS connection to the proxy
    const connect: connectors.connector = (to, callback) =>
      onSocket(toProxy({ ...to, servername: "" }, callback));
    const options = { proxy, timeoutMs: this.#options.timeoutMs, connect };
    const port = Number(target.port) || (target.protocol === "https:" ? 443 : 80);
    if (proxy.protocol === "socks5:") return socks5Tunnel({ host: target.hostname, port }, options);
    const host = target.hostname.includes(":") ? `[${target.hostname}]` : target.hostname;
    return httpTunnel(`${host}:${port}`, options);
  }

  #connector(options: SocketOptions): Connect {
    const { timeoutMs: timeout, buildConnector } = this.#options;
    const connect = buildConnector({ ...options, timeout, keepAlive: true, keepAliveInitialDelay: 30_000 });
    return (target, callback) => {
      const socket = connect(target, (...[error, opened]) =>
        error ? callback(withPlainCode(error), null) : callback(null, opened),
      ) as unknown as Socket; // it returns the socket, although its type does not declare it
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
      return socket;
    };
  }
}

/** Opens a connection. @returns its socket, which is still connecting */
type Connect = (target: connectors.Options, callback: connectors.Callback) => Socket;

type OnDialed = (error: Error | undefined, socket: Socket | undefined) => void;

/** Called with each socket of a connection, when it begins to connect. */
type OnSocket = (socket: Socket) => void;

interface Connecting {
  readonly callback: connectors.Callback;
  readonly onSocket: OnSocket;
}

/** The error that ends a connecting socket. Without one, the connector would wait until its timeout. */
const connectionCancelled = (): Error => new Error("the connection was cancelled");

const transportClosed = (): Error =>
  Object.assign(new Error("The client is destroyed"), { code: "UND_ERR_DESTROYED" }); // the error of undici

/** Loads the code for proxies, which most processes do not need. */
async function tunnels() {
  const [http, socks5] = await Promise.all([import("./http-tunnel.ts"), import("./socks5-tunnel.ts")]);
  return { ...http, ...socks5 };
}

/** The subset of Node's TLS options that is used here. */
interface TlsOptions {
  readonly secureContext?: SecureContext;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

interface SocketOptions extends TlsOptions {
  readonly onread?: OnReadOpts;
}

/** The readers of sockets that read into the shared buffer. */
const readers = new WeakMap<Socket, SocketReader>();

/**
 * Makes sockets read into `buffer` and pass its bytes to their reader. The bytes are valid until the reader returns.
 */
function readInto(buffer: Buffer): OnReadOpts {
  return {
    buffer,
    callback(this: Socket, length: number): boolean {
      return readers.get(this)?.(buffer.subarray(0, length)) ?? true;
    },
  };
}

function serverTls(tls: TlsMaterial | undefined): TlsOptions {
  if (!tls) return {};
  const { ca, cert, key, serverName, insecure } = tls;
  const secureContext = createSecureContext({ ca, cert, key }); // created once for all connections
  return {
    secureContext,
    rejectUnauthorized: !insecure,
    ...(serverName !== undefined && { servername: serverName }),
  };
}

/** Returns the TLS options for a proxy: it trusts the server's certificate authority and those of Node. */
function proxyTls(tls: TlsMaterial | undefined): TlsOptions {
  const rejectUnauthorized = !tls?.insecure;
  if (tls?.ca === undefined) return { rejectUnauthorized };
  return { rejectUnauthorized, secureContext: createSecureContext({ ca: [...rootCertificates, tls.ca] }) };
}

/**
 * Replaces the code of a certificate for another name. undici handles that code specially, so that requests beyond the
 * pool's limit would never end.
 */
function withPlainCode(error: Error & { readonly code?: unknown }): Error {
  if (error.code !== "ERR_TLS_CERT_ALTNAME_INVALID") return error;
  return Object.assign(new Error(error.message, { cause: error }), { code: "CERT_FOR_ANOTHER_NAME" });
}
