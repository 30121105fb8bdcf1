import type { Clock, ListenAddress, Logger, PrometheusMetrics, Rng } from "../../base/index.ts";
import type { Client } from "../../client/index.ts";
import { accessGuard } from "./access-guard.ts";
import { type HealthCheck, healthServer } from "./health-server.ts";
import type { HttpServer, TlsOptions } from "./http-server.ts";
import { metricsServer } from "./metrics-server.ts";

export interface MetricsOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** @default all addresses */
  readonly host?: string | undefined;
  /**
   * Serves HTTPS with a certificate from files, which are reloaded when they change, or a generated one. @default HTTP
   */
  readonly tls?: TlsOptions | undefined;
  /**
   * Serves only callers with a bearer token that the API server accepts and with permission to read the path: a
   * ClusterRole with `nonResourceURLs: ["/metrics"]` and `verbs: ["get"]`. Serve HTTPS with it, because callers send
   * their tokens. Reviews of unknown tokens are limited to five a second; further callers get 429. @default false
   */
  readonly guarded?: boolean | undefined;
  /**
   * Serves prom-client's metrics of the process too: processor time, memory, file descriptors, event loop, garbage
   * collection. Those that the registry has already are not repeated. @default true
   */
  readonly process?: boolean | undefined;
  /**
   * Serves profiles on demand under `/debug/pprof/`, which show what is in memory: only with `guarded`, or on loopback.
   * @default false
   */
  readonly profiling?: boolean | undefined;
}

export interface HealthOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** @default all addresses */
  readonly host?: string | undefined;
  /** Additional liveness checks. */
  readonly healthz?: readonly HealthCheck[] | undefined;
  /** Additional readiness checks. */
  readonly readyz?: readonly HealthCheck[] | undefined;
}

export interface ServersOptions {
  readonly metrics: MetricsOptions | false | undefined;
  readonly health: HealthOptions | false | undefined;
  readonly registry: PrometheusMetrics;
  readonly client: Client;
  readonly alive: readonly HealthCheck[];
  readonly ready: readonly HealthCheck[];
  readonly log: Logger;
  readonly clock: Clock;
  readonly rng: Rng;
}

/** The metrics and health servers of a manager. They run by default in a cluster, elsewhere only if configured. */
export class Servers implements AsyncDisposable {
  readonly #servers = new Map<"metrics" | "health", HttpServer>();
  readonly #ended = new AbortController();

  /** Resolves when all servers listen. If one cannot, closes the others and rejects. */
  static async start(options: ServersOptions): Promise<Servers> {
    const servers = new Servers();
    try {
      await servers.#start(options);
      return servers;
    } catch (error) {
      await servers[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Returns the address of a server that listens. */
  addressOf(name: "metrics" | "health"): ListenAddress | undefined {
    return this.#servers.get(name)?.address;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort(new Error("the servers are closed"));
    await Promise.all(Array.from(this.#servers.values(), (server) => server.close()));
  }

  async #start(options: ServersOptions): Promise<void> {
    const { registry, client, log, clock, rng } = options;
    const { signal } = this.#ended;
    const metrics = options.metrics ?? (isInCluster() && { port: 8080 });
    const health = options.health ?? (isInCluster() && { port: 8081 });
    if (metrics) {
      const guard = metrics.guarded ? accessGuard({ client, signal, log, clock, rng }) : undefined;
      await this.#listen("metrics", metricsServer({ ...metrics, metrics: registry, guard, log, clock }), log);
    }
    if (health) {
      const healthz = [...options.alive, ...(health.healthz ?? [])];
      const readyz = [...options.ready, ...(health.readyz ?? [])];
      await this.#listen("health", healthServer({ ...health, healthz, readyz, log, clock }), log);
    }
  }

  async #listen(name: "metrics" | "health", server: HttpServer, log: Logger): Promise<void> {
    this.#servers.set(name, server);
    log.info("serving", { server: name, port: await server.listen() });
  }
}

function isInCluster(): boolean {
  return process.env.KUBERNETES_SERVICE_HOST !== undefined;
}
