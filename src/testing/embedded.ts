import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiServer, administrator, createApiServer, type Front, listen } from "../apiserver/index.ts";
import type { Clock, Rng } from "../base/index.ts";
import { clientOver } from "../client/index.ts";
import { type Cluster, type ClusterServer, clusterOf } from "./cluster.ts";
import { inProcessTransport } from "./in-process-transport.ts";

/** An API server in this process: ready at once, and gone with it. No controller runs in it. */
export interface EmbeddedOptions {
  readonly engine: "embedded";
  /** Also listens on a loopback port, plain HTTP, for other programs: `kubeconfig` says where. @default false */
  readonly listen?: boolean | undefined;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
}

export async function startEmbedded(options: EmbeddedOptions): Promise<Cluster> {
  const server = createApiServer(options);
  const client = clientOver(inProcessTransport(server, { user: administrator }), { namespace: "default" });
  return clusterOf(client, options.listen ? await onNetwork(server) : inside(server));
}

function inside(server: ApiServer): ClusterServer {
  return {
    get kubeconfig(): string {
      throw new Error(
        "expected a cluster that listens, got one inside this process: start it with listen: true",
      );
    },
    kubeconfigOf: noUsers,
    close: async () => server.close(),
  };
}

async function onNetwork(server: ApiServer): Promise<ClusterServer> {
  const front = await listen(server);
  const folder = await mkdtemp(join(tmpdir(), "trimtab-embedded-"));
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, kubeconfigFor(front));
  return {
    kubeconfig,
    kubeconfigOf: noUsers,
    async close() {
      server.close();
      await front.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** JSON, which is YAML. */
function kubeconfigFor({ url }: Front): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "embedded", cluster: { server: url } }],
    users: [{ name: "admin", user: {} }],
    contexts: [{ name: "embedded", context: { cluster: "embedded", user: "admin" } }],
    "current-context": "embedded",
  });
}

function noUsers(user: string): string {
  throw new Error(
    `expected an engine that makes users, got "embedded", in which everybody may do everything: "${user}"`,
  );
}
