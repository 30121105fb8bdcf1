import { homedir } from "node:os";
import { join } from "node:path";
import { connect } from "../client/index.ts";
import { expectNodesReady, type WorkloadPart, type WorkloadsOptions, workloads } from "../workloads/index.ts";
import { findBinaries } from "./binaries.ts";
import { type Cluster, type ClusterServer, clusterOf } from "./cluster.ts";
import { startControlPlane } from "./control-plane.ts";
import type { Flags } from "./control-plane-programs.ts";
import { type CustomKind, serveKinds } from "./custom-kinds.ts";
import { type EmbeddedOptions, startEmbedded } from "./embedded.ts";
import type { User } from "./users.ts";

export type ClusterOptions = (EmbeddedOptions | BinariesOptions | ExistingOptions) & WorkloadsOption;

export interface WorkloadsOption {
  /**
   * Runs the controllers of a cluster, a scheduler and simulated nodes until the cluster is closed: all of them, the
   * named parts, or with options. See `WorkloadPart`. @default false: the cluster is an API server alone
   */
  readonly workloads?: boolean | readonly WorkloadPart[] | Omit<WorkloadsOptions, "clock"> | undefined;
}

/** A new control plane from the programs of a Kubernetes release. */
export interface BinariesOptions {
  readonly engine: "binaries";
  /** Users known to the server besides the client's administrator. @default none */
  readonly users?: readonly User[] | undefined;
  /** Custom kinds that are served from the start. @default none */
  readonly kinds?: readonly CustomKind[] | undefined;
  /** Flags of the API server, which override the defaults: `{ "runtime-config": "api/all=true" }`. @default none */
  readonly flags?: Flags | undefined;
  /** How long the server may take until it is ready. @default 60_000 */
  readonly startupMs?: number | undefined;
  /** Aborts the start. */
  readonly signal?: AbortSignal | undefined;
}

/** A cluster that is already running and keeps running after `close`. */
export interface ExistingOptions {
  readonly engine: "existing";
  /** Path of a kubeconfig file. @default found as by kubectl */
  readonly kubeconfig?: string | undefined;
  /** Custom kinds to apply. They stay after `close`. @default none */
  readonly kinds?: readonly CustomKind[] | undefined;
}

/**
 * Starts a control plane for a test, or connects to an existing one. It is ready when the promise resolves.
 *
 * ```ts
 * await using cluster = await startCluster();
 * await cluster.client.create(ConfigMap, { metadata: { name: "first" } });
 * ```
 *
 * The default engine is an API server in this process, without programs, ports or files. Engine "binaries" runs etcd
 * and kube-apiserver, found through KUBEBUILDER_ASSETS or in the cache of `npm run kube`; without them it throws a
 * `MissingBinariesError`. Both are API servers alone unless `workloads` is given: Deployments get no Pods, garbage is not
 * collected, and deleted namespaces are not emptied.
 */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const cluster = await startEngine(options);
  return withWorkloads(cluster, options.workloads);
}

function startEngine(options: ClusterOptions): Promise<Cluster> {
  switch (options.engine) {
    case undefined:
    case "embedded":
      return startEmbedded(options);
    case "binaries":
      return startBinaries(options);
    case "existing":
      return connectToExisting(options);
    default:
      return Promise.reject(unknownEngine(options));
  }
}

async function withWorkloads(cluster: Cluster, given: WorkloadsOption["workloads"]): Promise<Cluster> {
  if (!given) return cluster;
  const options = given === true ? {} : isParts(given) ? { parts: given } : given;
  try {
    await cluster.run(workloads({ ...options, clock: cluster.clock }));
    await cluster.eventually(() => expectNodesReady(cluster.client, options));
    return cluster;
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

/** `Array.isArray` does not narrow readonly arrays. */
function isParts(given: readonly WorkloadPart[] | object): given is readonly WorkloadPart[] {
  return Array.isArray(given);
}

/** Returns an error for an engine that the types do not allow, as from JavaScript or an environment variable. */
function unknownEngine({ engine }: { readonly engine?: unknown }): Error {
  return new Error(`expected the engine "embedded", "binaries" or "existing", got ${JSON.stringify(engine)}`);
}

async function startBinaries(options: BinariesOptions): Promise<Cluster> {
  const plane = await startControlPlane({ ...options, binaries: findBinaries() });
  try {
    const client = await connect({ kubeconfig: plane.kubeconfig });
    return await withKinds(clusterOf({ client, server: plane }), options.kinds);
  } catch (error) {
    await plane.close();
    throw error;
  }
}

async function withKinds(cluster: Cluster, kinds: readonly CustomKind[] = []): Promise<Cluster> {
  try {
    if (kinds.length > 0) await serveKinds(cluster.client, kinds);
    return cluster;
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

async function connectToExisting({ kubeconfig, kinds }: ExistingOptions): Promise<Cluster> {
  const client = await connect({ kubeconfig });
  const server: ClusterServer = {
    kubeconfig: kubeconfig ?? (process.env.KUBECONFIG || join(homedir(), ".kube", "config")),
    kubeconfigOf(user) {
      throw new Error(
        `expected an engine that makes users, got "existing": create a kubeconfig for "${user}" there`,
      );
    },
    close: () => Promise.resolve(),
  };
  return withKinds(clusterOf({ client, server }), kinds);
}
