import type { Socket } from "node:net";
import type { Dispatcher } from "undici";
import type { ClusterConfig, TlsMaterial } from "../config/cluster-config.ts";
import type { OpenResponse } from "../transport.ts";
import { Dialer } from "./dialer.ts";
import { openStream, type StreamOptions } from "./stream-connection.ts";

export interface ConnectionOptions {
  /** Limit of keep-alive connections for requests. Opened responses have additional connections. @default 32 */
  readonly connections?: number | undefined;
  /** Time limit for opening a connection. @default 30_000 */
  readonly connectTimeoutMs?: number | undefined;
}

/**
 * The connection pools to one server. New TLS material creates new pools. Running requests finish on the old pools, and
 * new requests use the new ones.
 */
export class Connections {
  readonly #config: ClusterConfig;
  readonly #options: ConnectionOptions;
  #current: ConnectionPools | undefined;
  /** The current pools, and old pools with running requests. */
  readonly #open = new Set<ConnectionPools>();
  #closed = false;
  #undici: Undici | undefined;

  constructor(config: ClusterConfig, options: ConnectionOptions) {
    this.#config = config;
    this.#options = options;
  }

  /** Returns the pools for these certificates. The first call loads undici, which takes about 40 ms. */
  for(tls: TlsMaterial | undefined): ConnectionPools | Promise<ConnectionPools> {
    if (this.#current?.tls === tls && this.#current) return this.#current;
    if (this.#undici) return this.#create(tls, this.#undici);
    return import("undici").then((undici) => {
      this.#undici = undici;
      return this.for(tls);
    });
  }

  #create(tls: TlsMaterial | undefined, undici: Undici): ConnectionPools {
    if (this.#closed) {
      throw new Error(`transport to ${this.#config.server} already closed`);
    }
    const outdated = this.#current;
    this.#current = new ConnectionPools(undici, tls, { ...this.#options, config: this.#config });
    this.#open.add(this.#current);
    if (outdated) this.#retire(outdated);
    return this.#current;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#current = undefined;
    await Promise.all(Array.from(this.#open, (pools) => pools.destroy()));
    this.#open.clear();
  }

  #retire(pools: ConnectionPools): void {
    void pools.drain().then(() => this.#open.delete(pools)); // never rejects; `close` ends it early
  }
}

type Undici = typeof import("undici");

/**
 * The connections to the server with one set of TLS material: a pool shared by requests, a small pool for each lane,
 * and one connection for each streaming response.
 */
export class ConnectionPools {
  readonly tls: TlsMaterial | undefined;
  readonly #requests: Dispatcher;
  readonly #lanes = new Map<string, Dispatcher>();
  readonly #newPool: (connections: number | null) => Dispatcher;
  readonly #dialer: Dialer;
  /** Number of open streaming responses. */
  #streams = 0;
  /** Called when the last streaming response has closed. Only `drain` sets it, when no new ones start. */
  #onStreamsClosed: (() => void) | undefined;

  constructor(
    { buildConnector, Pool }: Undici,
    tls: TlsMaterial | undefined,
    options: ConnectionOptions & { readonly config: ClusterConfig },
  ) {
    const { connections = 32, connectTimeoutMs: timeoutMs = 30_000, config } = options;
    const { origin, protocol, hostname, host, port } = new URL(config.server);
    const target = { protocol, hostname: hostname.replace(/^\[|\]$/g, ""), host, port };
    this.tls = tls;
    this.#dialer = new Dialer({ tls, proxyUrl: config.proxyUrl, timeoutMs, target, buildConnector });
    const pool = {
      connect: this.#dialer.connect,
      pipelining: 1,
      keepAliveTimeout: 30_000,
      allowH2: false,
    };
    this.#newPool = (connections) => new Pool(origin, { ...pool, connections });
    this.#requests = this.#newPool(connections);
  }

  /** Returns the pool for requests of this lane. */
  requests(lane: string | undefined): Dispatcher {
    if (lane === undefined) return this.#requests;
    const known = this.#lanes.get(lane) ?? this.#newPool(laneConnections);
    this.#lanes.set(lane, known);
    return known;
  }

  /** Sends a request on its own connection. */
  open(options: Omit<StreamOptions, "dialer" | "onClose">): Promise<OpenResponse> {
    this.#streams += 1;
    return openStream({ ...options, dialer: this.#dialer, onClose: () => this.#streamClosed() });
  }

  /** Opens a connection that the caller reads, writes and closes. */
  async openSocket(signal: AbortSignal | undefined): Promise<Socket> {
    this.#streams += 1;
    try {
      const socket = await this.#dialer.open(signal);
      socket.once("close", () => this.#streamClosed());
      return socket;
    } catch (error) {
      this.#streamClosed();
      throw error;
    }
  }

  #streamClosed(): void {
    this.#streams -= 1;
    if (this.#streams === 0) this.#onStreamsClosed?.();
  }

  /** Stops accepting requests, and resolves when the running ones have ended. */
  async drain(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.close()));
    if (this.#streams === 0) return;
    await new Promise<void>((resolve) => {
      this.#onStreamsClosed = resolve;
    });
  }

  /** Aborts running requests and connections that are being opened. */
  async destroy(): Promise<void> {
    const ended = Promise.all(this.#pools.map((pool) => pool.destroy()));
    this.#dialer.close();
    await ended;
  }

  get #pools(): Dispatcher[] {
    return [this.#requests, ...this.#lanes.values()];
  }
}

/** Connections of one lane. Two, because an aborted request may occupy one for a moment. */
const laneConnections = 2;
