import type { ClusterConfig } from "./cluster-config.ts";
import type { LoadOptions } from "./load-options.ts";

/**
 * Finds the cluster in the first of these places:
 *
 * 1. the `kubeconfig` option;
 * 2. the files in `KUBECONFIG`, merged: each entry comes completely from the first file that has it. Missing files are
 *    skipped, but at least one has to exist;
 * 3. the Pod of this process, unless the options name a context, cluster or user, which only files have;
 * 4. `~/.kube/config`;
 * 5. the `server` option alone.
 *
 * A cluster without a proxy uses the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name for it, as in kubectl.
 *
 * Options take precedence. `loadConfig` reads the files that the configuration names, so it reports missing files and
 * expired certificates. Credential plugins run with the first request. Throws a `ConfigError`.
 */
export async function loadConfig(options: LoadOptions = {}): Promise<ClusterConfig> {
  const { findConfig } = await import("./find-config.ts"); // not needed by clients with a given `ClusterConfig`
  return findConfig(options);
}
