import { type Client, connect } from "trimtab/client";
import { startCluster } from "trimtab/testing";
import { inject } from "vitest";

/** The engine of the API server under test. */
export type Engine = "embedded" | "binaries" | "existing";

declare module "vitest" {
  interface ProvidedContext {
    readonly engine?: Engine;
    readonly kubeconfig?: string;
    /** True if the output of kubectl is recorded instead of compared. */
    readonly record?: boolean;
  }
}

/** The API server under test. */
export interface ServerUnderTest extends AsyncDisposable {
  readonly engine: Engine;
  /** An administrator's client for all namespaces. */
  readonly client: Client;
  /** Path of a kubeconfig file for other programs, or the value of KUBECONFIG. */
  readonly kubeconfig: string;
}

/** Returns the server that the conformance command started, or else one in this process. */
export async function serverUnderTest(): Promise<ServerUnderTest> {
  const [engine, kubeconfig] = [inject("engine"), inject("kubeconfig")];
  if (engine === undefined || kubeconfig === undefined) return inProcess();
  const client = await connect({ kubeconfig: engine === "existing" ? undefined : kubeconfig });
  return { engine, kubeconfig, client, [Symbol.asyncDispose]: () => client.close() };
}

/** Its client uses no socket. The server also listens, for scenarios with other clients. */
async function inProcess(): Promise<ServerUnderTest> {
  const engine = "embedded";
  const cluster = await startCluster({ engine, listen: true });
  const { client, kubeconfig } = cluster;
  return { engine, client, kubeconfig, [Symbol.asyncDispose]: () => cluster.close() };
}
