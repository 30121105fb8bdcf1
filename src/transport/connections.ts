import type { Dispatcher } from "undici";
import type { ClusterConfig, TlsMaterial } from "./cluster-config.ts";
import { Dialer } from "./dialer.ts";
import { TappedClient, type TappedClientOptions } from "./tapped-client.ts";
import { Pool } from "./undici.ts";

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

  constructor(config: ClusterConfig, options: ConnectionOptions) {
    this.#config = config;
    this.#options = options;
  }

  for(tls: TlsMaterial | undefined): ConnectionPools {
    if (this.#current?.tls === tls && this.#current) return this.#current;
    if (this.#closed) {
      throw new Error(`expected an open transport to ${this.#config.server}, got a closed one`);
    }
    const outdated = this.#current;
    this.#current = new ConnectionPools(tls, this.#config, this.#options);
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

/**
 * The connections to the server: a pool that requests share, a small pool for each lane, and as many others as there are
 * streams.
 */
export class ConnectionPools {
  readonly tls: TlsMaterial | undefined;
  readonly streams: Dispatcher;
  readonly #requests: Dispatcher;
  readonly #lanes = new Map<string, Dispatcher>();
  readonly #newPool: (connections: number | null) => Dispatcher;
  readonly #dialer: Dialer;

  constructor(tls: TlsMaterial | undefined, config: ClusterConfig, options: ConnectionOptions) {
    const { connections = 32, connectTimeoutMs: timeoutMs = 30_000 } = options;
    const { origin } = new URL(config.server);
    this.tls = tls;
    this.#dialer = new Dialer({ tls, proxyUrl: config.proxyUrl, timeoutMs });
    const pool = {
      connect: this.#dialer.connect,
      pipelining: 1,
      keepAliveTimeout: 30_000,
      allowH2: false,
      factory: (to: URL, passedOn: object) => new TappedClient(to, passedOn as TappedClientOptions), // of these
    };
    this.#newPool = (connections) => new Pool(origin, { ...pool, connections });
    this.#requests = this.#newPool(connections);
    this.streams = this.#newPool(null);
  }

  /** Returns the pool for requests of this lane. */
  requests(lane: string | undefined): Dispatcher {
    if (lane === undefined) return this.#requests;
    const known = this.#lanes.get(lane) ?? this.#newPool(laneConnections);
    this.#lanes.set(lane, known);
    return known;
  }

  /** Resolves when what runs has ended. Nothing new starts. */
  async drained(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.close()));
  }

  /** Ends what runs, and whatever is being connected. */
  async end(): Promise<void> {
    const ended = Promise.all(this.#pools.map((pool) => pool.destroy()));
    this.#dialer.close();
    await ended;
  }

  get #pools(): Dispatcher[] {
    return [this.#requests, this.streams, ...this.#lanes.values()];
  }
}

/** Connections of one lane. A request that was given up may still occupy one for a moment. */
const laneConnections = 2;
