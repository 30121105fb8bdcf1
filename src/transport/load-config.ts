import type { ClusterConfig } from "./cluster-config.ts";
import type { LoadOptions } from "./load-options.ts";

/**
 * Finds the cluster, in the first of these places:
 *
 * 1. the `kubeconfig` option;
 * 2. the files in `KUBECONFIG`, merged: the first file that has an entry gives the whole of it.
 *    Files that do not exist are skipped, but not all of them;
 * 3. the Pod this runs in, unless the options name a context, cluster or user, which only files have;
 * 4. `~/.kube/config`;
 * 5. the `server` option alone.
 *
 * A cluster without a proxy takes the one that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name for it, as with kubectl.
 *
 * Options win over what was found. Files named there are read, so that what is missing or expired is
 * said here; credential plugins run with the first request. Throws a `ConfigError`.
 */
export async function loadConfig(options: LoadOptions = {}): Promise<ClusterConfig> {
  const { findConfig } = await import("./find-config.ts"); // a client of a cluster already found does without
  return findConfig(options);
}
