import { type Client, connect } from "trimtab/client";
import { startCluster } from "trimtab/testing";
import { inject } from "vitest";

/** What runs the API server under test. */
export type Engine = "embedded" | "binaries" | "existing";

declare module "vitest" {
  interface ProvidedContext {
    readonly engine?: Engine;
    readonly kubeconfig?: string;
    /** Whether what kubectl prints is to be written down, not compared. */
    readonly record?: boolean;
  }
}

/** The API server that scenarios are played on. */
export interface ServerUnderTest extends AsyncDisposable {
  readonly engine: Engine;
  /** May do everything everywhere. */
  readonly client: Client;
  /** For other programs: path of a kubeconfig file, or what KUBECONFIG says. */
  readonly kubeconfig: string;
}

/** The one that the conformance command started, or, where nobody did, one in this process. */
export async function serverUnderTest(): Promise<ServerUnderTest> {
  const [engine, kubeconfig] = [inject("engine"), inject("kubeconfig")];
  if (engine === undefined || kubeconfig === undefined) return inProcess();
  const client = await connect({ kubeconfig: engine === "existing" ? undefined : kubeconfig });
  return { engine, kubeconfig, client, [Symbol.asyncDispose]: () => client.close() };
}

/** Its client needs no socket. It listens too, for what a scenario shows by another client. */
async function inProcess(): Promise<ServerUnderTest> {
  const engine = "embedded";
  const cluster = await startCluster({ engine, listen: true });
  const { client, kubeconfig } = cluster;
  return { engine, client, kubeconfig, [Symbol.asyncDispose]: () => cluster.close() };
}
