import type { Clock, Logger } from "../../base/index.ts";
import type { Environment } from "./exec-plugin.ts";
import type { Overrides } from "./overrides.ts";

export interface ConfigOptions extends Overrides {
  /** A context of the kubeconfig. @default its `current-context` */
  readonly context?: string | undefined;
  /** A cluster of the kubeconfig. @default the context's */
  readonly cluster?: string | undefined;
  /** A user of the kubeconfig. @default the context's */
  readonly user?: string | undefined;
  /**
   * The environment that credential plugins inherit, with KUBECONFIG, a Pod's settings, HTTPS_PROXY, HTTP_PROXY and
   * NO_PROXY.
   * @default `process.env`
   */
  readonly env?: Environment | undefined;
  readonly clock?: Clock | undefined;
  /** Reports files that cannot be reloaded. @default none; `connect` has its own default */
  readonly log?: Logger | undefined;
}

export interface LoadOptions extends ConfigOptions {
  /** Path of the kubeconfig. The file has to exist. */
  readonly kubeconfig?: string | undefined;
  /** @default HOME, or else the user's */
  readonly homeDir?: string | undefined;
  /** The mount path of the Pod's service account. @default "/var/run/secrets/kubernetes.io/serviceaccount" */
  readonly serviceAccountDir?: string | undefined;
}
