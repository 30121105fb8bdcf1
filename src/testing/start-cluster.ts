import { homedir } from "node:os";
import { join } from "node:path";
import { connect } from "../client/index.ts";
import { findBinaries } from "./binaries.ts";
import { type Cluster, clusterOf } from "./cluster.ts";
import { startControlPlane } from "./control-plane.ts";
import type { User } from "./control-plane-folder.ts";
import { type EmbeddedOptions, startEmbedded } from "./embedded.ts";
import type { Flags } from "./flags.ts";

export type ClusterOptions = EmbeddedOptions | BinariesOptions | ExistingOptions;

/** A control plane of its own, from the programs of a Kubernetes release. */
export interface BinariesOptions {
  readonly engine: "binaries";
  /** Known to the server besides the one the client is, who may do everything. @default none */
  readonly users?: readonly User[] | undefined;
  /** Flags of the API server, over the defaults: `{ "runtime-config": "api/all=true" }`. @default none */
  readonly flags?: Flags | undefined;
  /** How long the server may take until it is ready. @default 60_000 */
  readonly startupMs?: number | undefined;
  /** Calls the start off. */
  readonly signal?: AbortSignal | undefined;
}

/** A cluster that runs already, and goes on running. */
export interface ExistingOptions {
  readonly engine: "existing";
  /** Path of a kubeconfig file. @default found as kubectl does */
  readonly kubeconfig?: string | undefined;
}

/**
 * Starts a control plane for a test, or takes one that is there. It is ready when the promise resolves.
 *
 * ```ts
 * await using cluster = await startCluster({ engine: "binaries" });
 * await cluster.client.create(ConfigMap, { metadata: { name: "first", namespace: "default" } });
 * ```
 *
 * Engine "binaries" runs etcd and kube-apiserver and nothing more: no controller makes Pods of Deployments, collects
 * garbage or empties a deleted namespace. Its programs are found by KUBEBUILDER_ASSETS, or in the cache
 * of `npm run kube`; without them it throws a `MissingBinariesError`.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  // Who writes JavaScript, or takes the engine from a variable, may have given anything.
  switch (options?.engine) {
    case "embedded":
      return startEmbedded(options);
    case "binaries":
      return startBinaries(options);
    case "existing":
      return takeExisting(options);
    default:
      throw wrongEngine(options);
  }
}

function wrongEngine(options: { readonly engine?: unknown } | undefined): Error {
  const got = options?.engine === undefined ? "none" : JSON.stringify(options.engine);
  return new Error(`expected the engine "embedded", "binaries" or "existing", got ${got}`);
}

async function startBinaries(options: BinariesOptions): Promise<Cluster> {
  const plane = await startControlPlane({ ...options, binaries: findBinaries() });
  try {
    const client = await connect({ kubeconfig: plane.kubeconfig });
    return clusterOf(client, plane);
  } catch (error) {
    await plane.close();
    throw error;
  }
}

async function takeExisting({ kubeconfig }: ExistingOptions): Promise<Cluster> {
  const client = await connect({ kubeconfig });
  return clusterOf(client, {
    kubeconfig: kubeconfig ?? (process.env.KUBECONFIG || join(homedir(), ".kube", "config")),
    kubeconfigOf(user) {
      throw new Error(`expected an engine that makes users, got "existing": ask that cluster for "${user}"`);
    },
    close: () => Promise.resolve(),
  });
}
