import type { Clock, Logger, LogStream } from "../base/index.ts";
import type { Environment } from "./exec-plugin.ts";
import type { KubeconfigCluster, KubeconfigUser } from "./kubeconfig.ts";
import { type ReadUrl, readServer } from "./server-url.ts";

/** A cluster and a user that have been chosen, wherever they came from. */
export interface Access {
  readonly cluster: KubeconfigCluster;
  /** Nobody in particular when absent. */
  readonly user?: KubeconfigUser | undefined;
  readonly namespace: string;
  /** For messages: "~/.kube/config, context dev". */
  readonly origin: string;
}

/** What having access needs from around it. */
export interface AccessSettings {
  /** What credential plugins inherit, and where proxies are looked up. */
  readonly env: Environment;
  readonly clock: Clock;
  readonly log: Logger;
  /** Where credential plugins may ask a person. @default the process's, where it is a terminal */
  readonly terminal?: LogStream | "none" | undefined;
}

/** The server's URL as it is used, or what is wrong with it. */
export function serverOf({ cluster, user }: Access): ReadUrl {
  const tlsConfigured =
    cluster.insecureSkipTlsVerify ||
    cluster.certificateAuthority !== undefined ||
    user?.clientCertificate !== undefined;
  return readServer(cluster.server ?? "", tlsConfigured);
}
