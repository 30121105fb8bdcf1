import type { Clock, Logger, LogStream } from "../../base/index.ts";
import type { Environment } from "./exec-plugin.ts";
import type { KubeconfigCluster, KubeconfigUser } from "./kubeconfig.ts";
import { type ReadUrl, readServer } from "./server-url.ts";

/** The selected cluster and user, from a kubeconfig, a Pod's service account or client-node. */
export interface Access {
  readonly cluster: KubeconfigCluster;
  /** @default an anonymous user */
  readonly user?: KubeconfigUser | undefined;
  readonly namespace: string;
  /** For messages: "~/.kube/config, context dev". */
  readonly origin: string;
}

/** Settings of the process that access to a cluster depends on. */
export interface AccessSettings {
  /** The environment that credential plugins inherit. It also names the proxies. */
  readonly env: Environment;
  readonly clock: Clock;
  readonly log: Logger;
  /** The terminal that credential plugins may prompt on. @default the terminal of the process, if it has one */
  readonly terminal?: LogStream | "none" | undefined;
}

/** Returns the normalized URL of the server, or what is invalid about it. */
export function serverOf({ cluster, user }: Access): ReadUrl {
  const tlsConfigured =
    cluster.insecureSkipTlsVerify ||
    cluster.certificateAuthority !== undefined ||
    user?.clientCertificate !== undefined;
  return readServer(cluster.server ?? "", tlsConfigured);
}
