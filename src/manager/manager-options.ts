import type { Clock, Logger, PrometheusMetrics, Rng, Tracer } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import type { Controller } from "../controller/index.ts";
import type { DetectorLimits } from "../detector/index.ts";
import type { ElectionTiming } from "../election/index.ts";
import type { Runnable } from "./runnable.ts";
import type { HealthOptions, MetricsOptions } from "./servers.ts";

export interface ManagerOptions {
  readonly controllers: readonly Controller[];
  /** Other work that runs beside the controllers. @default none */
  readonly runnables?: readonly Runnable[] | undefined;
  /** @default connects with the configuration that kubectl would use */
  readonly client?: Client | undefined;
  /** Watches these namespaces only. An empty name is rejected. @default all namespaces */
  readonly namespaces?: readonly string[] | undefined;
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
