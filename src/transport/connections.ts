import type { Dispatcher } from "undici";
import type { ClusterConfig, TlsMaterial } from "./cluster-config.ts";
import { Dialer } from "./dialer.ts";
import { openStream, type StreamOptions } from "./http/stream-connection.ts";
import type { OpenResponse } from "./transport.ts";

export interface ConnectionOptions {
  /** Connections kept for requests; opened responses have their own beyond these. @default 32 */
  readonly connections?: number | undefined;
  /** How long a connection may take to stand. @default 30_000 */
  readonly connectTimeoutMs?: number | undefined;
}

/**
 * undici's connections to one server, made anew when the TLS material changes. What runs on the old ones may end
 * there; nothing new starts on them.
 */
export class Connections {
  readonly #config: ClusterConfig;
  readonly #options: ConnectionOptions;
  #current: ConnectionPools | undefined;
  /** The current ones, and those on which something still runs. */
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
      throw new Error(`expected an open transport to ${this.#config.server}, got a closed one`);
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
    await Promise.all(Array.from(this.#open, (ways) => ways.end()));
    this.#open.clear();
  }

  #retire(ways: ConnectionPools): void {
    void ways.drained().then(() => this.#open.delete(ways)); // it cannot fail, and `close` ends it sooner
  }
}

function settleOnce(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

type Undici = typeof import("undici");

/**
 * The connections to the server: a pool that requests share, a small pool for each lane, and a connection for each
 * streaming response.
 */
export class ConnectionPools {
  readonly tls: TlsMaterial | undefined;
  readonly #requests: Dispatcher;
  readonly #lanes = new Map<string, Dispatcher>();
  readonly #newPool: (connections: number | null) => Dispatcher;
  readonly #dialer: Dialer;
  /** Number of open streaming responses. */
  #streams = 0;
  /** Settles when the last of them has closed. Only `drained` waits for it, when nothing new starts. */
  readonly #streamsClosed = settleOnce();

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

  /** Sends a request on a connection of its own. */
  open(options: Omit<StreamOptions, "dialer" | "onClose">): Promise<OpenResponse> {
    this.#streams += 1;
    return openStream({ ...options, dialer: this.#dialer, onClose: () => this.#streamClosed() });
  }

  #streamClosed(): void {
    this.#streams -= 1;
    if (this.#streams === 0) this.#streamsClosed.resolve();
  }

  /** Resolves when what runs has ended. Nothing new starts. */
  async drained(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.close()));
    if (this.#streams > 0) await this.#streamsClosed.promise;
  }

  /** Ends what runs, and whatever is being connected. */
  async end(): Promise<void> {
    const ended = Promise.all(this.#pools.map((pool) => pool.destroy()));
    this.#dialer.close();
    await ended;
  }

  get #pools(): Dispatcher[] {
    return [this.#requests, ...this.#lanes.values()];
  }
}

/** Connections of one lane. A request that was given up may still occupy one for a moment. */
const laneConnections = 2;
