import type { Clock, ListenAddress, Logger, PrometheusMetrics, Rng, Tracer } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import type { Cache, Controller } from "../controller/index.ts";
import type { DetectorLimits } from "../detector/index.ts";
import type { ElectionTiming } from "../election/index.ts";
import type { ConvertibleKind, Webhook, WebhookServerOptions } from "../webhook/index.ts";
import type { CacheOptions } from "./cache-options.ts";
import type { Runnable, RunnableHandle } from "./runnable.ts";
import type { HealthOptions, MetricsOptions } from "./servers/servers.ts";

/** Runs controllers: caches, leader election, startup and shutdown. */
export interface Manager {
  /**
   * Reads declared kinds from the cache, own writes included. With leader election, writes are rejected with a
   * `NotLeaderError` unless this process is the leader. Throws before `ready`.
   */
  readonly client: Client;
  readonly cache: Cache;
  /**
   * Resolves when every cache has synced, including those of controllers that wait for a missing kind. Rejects if the
   * sync fails or the manager stops first.
   */
  readonly ready: Promise<void>;
  /**
   * True if every object has been delivered and no key is queued or being reconciled. Keys that wait for a retry or a
   * requeue do not count. False for a standby, which has yet to reconcile everything.
   */
  readonly idle: boolean;
  /** The addresses of the servers that listen at this moment. They contain the ports that were chosen for port 0. */
  readonly addresses: ManagerAddresses;
  /**
   * Adds a controller or runnable, also while the manager runs. If it cannot start, for example because of a missing
   * permission, the `ready` of its handle rejects, the error is logged, and the manager continues. Throws if the name
   * or the field manager is in use, or the manager has ended.
   */
  add(part: Controller | Runnable): RunnableHandle;
  /** Runs until the signal aborts, drains, and resolves. Rejects if an essential part fails. May be called once. */
  run(options: { readonly signal: AbortSignal }): Promise<void>;
  /**
   * Runs until `work` settles, drains, and returns its result, for tests and programs that end. Rejects if `work` or
   * the manager fails.
   */
  runUntil<T>(work: Promise<T>): Promise<T>;
}

/** The addresses of a manager's servers. A server that is off, or does not listen yet or any more, has none. */
export interface ManagerAddresses {
  /** Serves `/metrics`. Listens before the startup checks. */
  readonly metrics: ListenAddress | undefined;
  /** Serves `/healthz` and `/readyz`. Listens before the startup checks. */
  readonly health: ListenAddress | undefined;
  /** Listens before the caches sync. */
  readonly webhooks: ListenAddress | undefined;
}

export interface ManagerOptions {
  readonly controllers: readonly Controller[];
  /** Other work that runs beside the controllers. @default none */
  readonly runnables?: readonly Runnable[] | undefined;
  /**
   * Admission webhooks, and kinds with several versions, whose conversion is served. They are served on every replica,
   * from before the caches sync until after the last reconcile. @default none
   */
  readonly webhooks?: readonly (Webhook | ConvertibleKind)[] | undefined;
  /** The server of `webhooks`: its address, certificates and registration. @default the options' defaults */
  readonly webhookServer?: WebhookServerOptions | undefined;
  /** @default connects with the configuration that kubectl would use */
  readonly client?: Client | undefined;
  /** Watches these namespaces only. An empty name is rejected. @default all namespaces */
  readonly namespaces?: readonly string[] | undefined;
  /**
   * Selects the objects that the caches keep: defaults for all kinds, and options of single kinds. The default for
   * namespaces is the option `namespaces`. @default whole objects, all of them
   */
  readonly cache?: CacheOptions | undefined;
  /**
   * Behaviour for kinds that the server does not serve at startup. "fail": an error that names the CRD to install.
   * "wait": the controller waits for them, and the others run. A controller whose kind is removed later waits in both
   * cases. @default "fail"
   */
  readonly missingKinds?: "fail" | "wait" | undefined;
  /** Runs controllers only in the replica that holds the lease. @default no leader election */
  readonly leaderElection?: LeaderElectionOptions | undefined;
  /** Serves `/metrics`. @default { port: 8080 } in a cluster, off elsewhere */
  readonly metrics?: MetricsOptions | false | undefined;
  /**
   * Serves `/healthz` and `/readyz`. Readiness includes stale watches. @default { port: 8081 } in a cluster, off
   * elsewhere
   */
  readonly health?: HealthOptions | false | undefined;
  /**
   * Checks kinds and permissions at startup, and fails with the command or RBAC rule that fixes each problem.
   * @default true
   */
  readonly preflight?: boolean | undefined;
  /** Rejects reads of kinds that no controller declares, instead of sending them. @default false */
  readonly strictReads?: boolean | undefined;
  /**
   * Detects controllers that trigger themselves or conflict with others, warns once per cause, and counts. @default {}
   */
  readonly detector?: DetectorLimits | false | undefined;
  /** Time for running reconciles to end after the signal. Then they are cancelled. @default 25_000 */
  readonly drainMs?: number | undefined;
  /** Time limit for the initial cache sync. @default 120_000 */
  readonly syncTimeoutMs?: number | undefined;
  readonly log?: Logger | undefined;
  /**
   * Registers the metrics of the manager, and provides those of `/metrics`. `prometheus(registry)` shares a registry of
   * prom-client. @default a new registry
   */
  readonly registry?: PrometheusMetrics | undefined;
  /** Records spans of reconciles and their requests: `openTelemetry(api)`. @default none */
  readonly tracer?: Tracer | undefined;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
}

export interface LeaderElectionOptions extends ElectionTiming {
  /** Name of the Lease. */
  readonly name: string;
  /** @default the client's namespace */
  readonly namespace?: string | undefined;
  /** @default the host name and a random suffix */
  readonly identity?: string | undefined;
  /** Labels to add to the Lease. @default none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}
