import type { Clock, Logger, PrometheusMetrics, Rng, Tracer } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import type { Controller } from "../controller/index.ts";
import type { DetectorLimits } from "../detector/index.ts";
import type { ElectionTiming } from "../election/index.ts";
import type { Runnable } from "./runnable.ts";
import type { HealthOptions, MetricsOptions } from "./servers.ts";

export interface ManagerOptions {
  readonly controllers: readonly Controller[];
  /** Work of one's own beside the controllers. @default none */
  readonly runnables?: readonly Runnable[] | undefined;
  /** @default found as kubectl finds it */
  readonly client?: Client | undefined;
  /** Watches these namespaces only. An empty name is refused. @default all namespaces */
  readonly namespaces?: readonly string[] | undefined;
  /**
   * What becomes of a controller whose kinds the server does not have at the start: an error that says what to install, or
   * it waits for them, and the others go on. One whose kind goes later waits until it is back. @default "fail"
   */
  readonly missingKinds?: "fail" | "wait" | undefined;
  /** Of all replicas that name the same lease, one works. @default none: this one works */
  readonly leaderElection?: LeaderElectionOptions | undefined;
  /** Serves `/metrics`. @default { port: 8080 } in a cluster, off elsewhere */
  readonly metrics?: MetricsOptions | false | undefined;
  /** Serves `/healthz` and `/readyz`, which says whether watches are alive. @default { port: 8081 } in a cluster, off elsewhere */
  readonly health?: HealthOptions | false | undefined;
  /**
   * Looks first whether the kinds are there and the rights are given, and fails with the rule or command that mends it.
   * @default true
   */
  readonly preflight?: boolean | undefined;
  /** Reads of kinds that no controller declares are refused, not sent. @default false */
  readonly strictReads?: boolean | undefined;
  /** Sees controllers that trigger themselves or fight with others, warns once of each cause, and counts. @default {} */
  readonly detector?: DetectorLimits | false | undefined;
  /** How long reconciles may take to end after the signal; then they are told to. @default 25,000 */
  readonly drainMs?: number | undefined;
  /** How long first lists may take. @default 120,000 */
  readonly syncTimeoutMs?: number | undefined;
  readonly log?: Logger | undefined;
  readonly registry?: PrometheusMetrics | undefined;
  /** Where spans of reconciles and their requests go: `openTelemetry(api)`. @default nowhere */
  readonly tracer?: Tracer | undefined;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
}

export interface LeaderElectionOptions extends ElectionTiming {
  /** Of the Lease. */
  readonly name: string;
  /** @default the client's */
  readonly namespace?: string | undefined;
  /** @default the machine's name and a random part */
  readonly identity?: string | undefined;
  /** Set on the Lease, beside those that it has. @default none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}
