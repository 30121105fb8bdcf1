import type { Client } from "../client/index.ts";

/** A control plane for tests. Disposing it is closing it. */
export interface Cluster extends AsyncDisposable {
  readonly client: Client;
  /** For other programs: path of a kubeconfig file, or what KUBECONFIG says where an existing cluster was found by it. */
  readonly kubeconfig: string;
  /** Path of a kubeconfig file for one of the `users` that were asked for. */
  kubeconfigOf(user: string): string;
  /** Ends everything that was started for it. May be called again. */
  close(): Promise<void>;
}

/** What closes the client, and then the server. */
export function clusterOf(client: Client, server: ClusterServer): Cluster {
  let closed: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    try {
      await client[Symbol.asyncDispose]();
    } finally {
      await server.close();
    }
  };
  const close = (): Promise<void> => (closed ??= end());
  return {
    client,
    get kubeconfig() {
      return server.kubeconfig;
    },
    kubeconfigOf: (user) => server.kubeconfigOf(user),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A cluster without its client. */
export type ClusterServer = Pick<Cluster, "kubeconfig" | "kubeconfigOf" | "close">;
