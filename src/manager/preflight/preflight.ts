import { Namespace } from "../../api/types/core/v1.ts";
import {
  type Clock,
  deadline,
  type Logger,
  realClock,
  silentLogger,
  TimeoutError,
} from "../../base/index.ts";
import { type Client, ConfigError, ConnectionError, isUnauthorized } from "../../client/index.ts";
import { neededKinds } from "./missing-kinds.ts";
import { type MissingPermission, missingPermissions } from "./missing-permissions.ts";
import { type KnownNeed, type Need, namespacesOf, type PreflightContext } from "./needs.ts";

export interface PreflightOptions {
  /** "fail" if missing kinds are a problem, "wait" if controllers wait for them. @default "fail" */
  readonly missingKinds?: "fail" | "wait" | undefined;
  /** Time limit of all checks. @default 5000 */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly log?: Logger | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Checks that kinds, namespaces and permissions are available. Throws one `ConfigError` that lists everything that is
 * missing, each with the command or RBAC rule that fixes it. Missing optional permissions are logged with the same
 * text.
 *
 * Checks that are forbidden or do not complete in time are logged and pass. It also throws a `ConfigError` if the
 * server is unreachable, does not list its kinds in time, or rejects the credentials.
 */
export async function preflight(
  client: Client,
  needs: readonly Need[],
  options: PreflightOptions = {},
): Promise<void> {
  const { missingKinds = "fail", timeoutMs = 5000, signal, log = silentLogger, clock = realClock } = options;
  const doing = `startup checks on ${client.transport.server}`;
  using limit = deadline(timeoutMs, doing, { clock, signal });
  const context = { client, log, clock, signal: limit.signal, missingKinds };
  const { known, problems } = await neededKinds(needs, context).catch((error) => {
    throw connectionProblem(error, client);
  });
  const [namespaces, permissions] = await Promise.all([
    missingNamespaces(known, context),
    missingPermissions(known, context),
  ]);
  signal?.throwIfAborted();
  const all = [...problems, ...namespaces, ...problemsOf(permissions, false)];
  if (all.length > 0) throw new ConfigError(all);
  for (const problem of problemsOf(permissions, true)) log.warn("optional permission missing", { problem });
}

function problemsOf(permissions: readonly MissingPermission[], optional: boolean): string[] {
  return permissions.filter((permission) => permission.optional === optional).map(({ problem }) => problem);
}

/** Runs `preflight` in every cluster of the needs. Problems of other clusters start with the cluster's name. */
export async function preflightEverywhere(
  client: Client,
  needs: readonly Need[],
  options: PreflightOptions = {},
): Promise<void> {
  const clusters = new Set([undefined, ...needs.map(({ cluster }) => cluster)]);
  await Promise.all(
    Array.from(clusters, async (cluster) => {
      const own = needs.filter((need) => need.cluster === cluster);
      try {
        await preflight(cluster?.live ?? client, own, options);
      } catch (error) {
        if (!cluster || !(error instanceof ConfigError)) throw error;
        throw new ConfigError(error.problems.map((problem) => `in cluster ${cluster.name}: ${problem}`));
      }
    }),
  );
}

/** Returns a `ConfigError` without a cause for connection and authentication errors, which the user can fix. */
function connectionProblem(error: unknown, { transport: { server } }: Client): unknown {
  if (error instanceof ConnectionError) return new ConfigError(error.message);
  if (error instanceof TimeoutError) {
    return new ConfigError(
      `expected ${server} to list its kinds, got no response in time; ` +
        "check its address, whether it needs https, and proxies or firewalls in between",
    );
  }
  if (!isUnauthorized(error)) return error;
  return new ConfigError(
    `expected ${server} to accept the credentials, got ${error.code} ${error.reason}; ` +
      "the credentials of this context's user are invalid or have expired",
  );
}

async function missingNamespaces(needs: readonly KnownNeed[], context: PreflightContext): Promise<string[]> {
  const whys = new Map<string, Set<string>>();
  for (const need of needs) {
    for (const name of namespacesOf(need)) whys.set(name, (whys.get(name) ?? new Set()).add(need.why));
  }
  const names = [...whys.keys()];
  const existing = await Promise.all(names.map((name) => exists(name, context)));
  return names
    .filter((_, index) => !existing[index])
    .map((name) => {
      const why = [...(whys.get(name) ?? [])].join("; ");
      return `expected namespace ${name} (${why}), got none; create it first:\n    kubectl create namespace ${name}`;
    });
}

/**
 * Returns true if a namespace exists or the user may not read it: many users may work in a namespace that they may not
 * get.
 */
async function exists(name: string, { client, signal, log }: PreflightContext): Promise<boolean> {
  try {
    return (await client.get(Namespace, { name }, { signal })) !== undefined;
  } catch (error) {
    log.debug("cannot check whether a namespace exists", { namespace: name, error });
    return true;
  }
}
