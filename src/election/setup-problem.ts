import { ConfigError, isForbidden, isNotFound, isUnauthorized } from "../client/index.ts";

/** Returns the configuration error behind a failed attempt, with its fix, or `undefined` for other failures. */
export function setupProblem(error: unknown, lease: string): ConfigError | undefined {
  const namespace = lease.slice(0, lease.indexOf("/"));
  if (isForbidden(error)) {
    return new ConfigError(
      `expected permission to get, create and update lease ${lease}, got ${error.message}; ` +
        `a Role in namespace ${namespace} needs the rule ${rule}, and a RoleBinding to this program's user or service account`,
      { cause: error },
    );
  }
  if (isUnauthorized(error)) {
    return new ConfigError(
      `expected valid credentials for the API server of lease ${lease}, got ${error.message}`,
      {
        cause: error,
      },
    );
  }
  if (!isNotFound(error)) return undefined;
  return new ConfigError(
    `expected namespace ${namespace} for lease ${lease}, got ${error.message}; ` +
      `create it (kubectl create namespace ${namespace}), or name another`,
    { cause: error },
  );
}

const rule =
  '{ apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["get", "create", "update"] }';
