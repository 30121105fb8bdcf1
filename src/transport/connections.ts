import { type Dispatcher, Pool, ProxyAgent, Socks5ProxyAgent } from "undici";
import type { ClusterConfig, TlsMaterial } from "./cluster-config.ts";

export interface ConnectionOptions {
  /** Connections kept for requests; opened responses have their own beyond these. @default 32 */
  readonly connections?: number | undefined;
  /** How long a connection may take to stand. @default 30_000 */
  readonly connectTimeoutMs?: number | undefined;
}

/** The two ways to the server: kept connections shared by requests, and as many others as there are streams. */
export interface Ways {
  readonly requests: Dispatcher;
  readonly streams: Dispatcher;
}

/**
 * undici's connections to one server, made anew when the TLS material changes. What runs on the old ones may end
 * there; nothing new starts on them.
 */
export class Connections {
  readonly #config: ClusterConfig;
  readonly #options: ConnectionOptions;
  #current: { readonly tls: TlsMaterial | undefined; readonly ways: Ways } | undefined;
  #closed = false;

  constructor(config: ClusterConfig, options: ConnectionOptions) {
    this.#config = config;
    this.#options = options;
  }

  for(tls: TlsMaterial | undefined): Ways {
    if (this.#closed)
      throw new Error(`expected an open transport to ${this.#config.server}, got a closed one`);
    if (this.#current && this.#current.tls === tls) return this.#current.ways;
    const outdated = this.#current?.ways;
    const ways = {
      requests: this.#way(tls, this.#options.connections ?? 32),
      streams: this.#way(tls, null),
    };
    this.#current = { tls, ways };
    if (outdated) void Promise.all([outdated.requests.close(), outdated.streams.close()]);
    return ways;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const ways = this.#current?.ways;
    this.#current = undefined;
    if (ways) await Promise.all([ways.requests.destroy(), ways.streams.destroy()]);
  }

  #way(tls: TlsMaterial | undefined, connections: number | null): Dispatcher {
    const { origin } = new URL(this.#config.server);
    const pool = { connections, pipelining: 1, keepAliveTimeout: 30_000, allowH2: false };
    const connect = this.#connect(tls);
    const { proxyUrl } = this.#config;
    if (proxyUrl === undefined) return new Pool(origin, { ...pool, connect });
    const proxied = { ...pool, requestTls: connect };
    if (proxyUrl.startsWith("socks5:")) return new Socks5ProxyAgent(proxyUrl, proxied);
    return new ProxyAgent({ ...proxied, uri: proxyUrl });
  }

  #connect(tls: TlsMaterial | undefined): ConnectOptions {
    const common = {
      timeout: this.#options.connectTimeoutMs ?? 30_000,
      keepAlive: true,
      keepAliveInitialDelay: 30_000,
    };
    if (!tls) return common;
    const { ca, cert, key, serverName: servername, insecure } = tls;
    return { ...common, ...defined({ ca, cert, key, servername }), rejectUnauthorized: !insecure };
  }
}

type ConnectOptions = Readonly<Record<string, unknown>>;

function defined(fields: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const present: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) present[name] = value;
  return present;
}
