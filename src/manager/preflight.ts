import { Namespace } from "../api/types/core/v1.ts";
import { type Clock, deadline, type Logger, realClock, silentLogger, TimeoutError } from "../base/index.ts";
import { type Client, ConfigError, ConnectionError, isUnauthorized } from "../client/index.ts";
import { type KnownNeed, type Looking, type Need, namespacesOf } from "./need.ts";
import { neededKinds } from "./needed-kinds.ts";
import { type MissingRight, missingRights } from "./needed-rights.ts";

export interface PreflightOptions {
  /** Kinds that are missing are a problem, or not: they are waited for later. @default "fail" */
  readonly missingKinds?: "fail" | "wait" | undefined;
  /** All of it takes no longer. @default 5000 */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly log?: Logger | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Looks whether a start makes sense: the kinds are there, the namespaces exist, and the rights are given. Throws one
 * `ConfigError` with all that is missing, each with the rule or the command that mends it. A right that the work goes on
 * without is told in the log, in the same words.
 *
 * What this user may not ask, or is not answered in time, is said in the log and taken for given. A server that does
 * not say which kinds it has is a `ConfigError` too: it is out of reach, or does not know us.
 */
export async function preflight(
  client: Client,
  needs: readonly Need[],
  options: PreflightOptions = {},
): Promise<void> {
  const { missingKinds = "fail", timeoutMs = 5000, signal, log = silentLogger, clock = realClock } = options;
  const doing = `looking at ${client.transport.server} for what the controllers need`;
  using limit = deadline(timeoutMs, doing, { clock, signal });
  const looking = { client, log, clock, signal: limit.signal, missingKinds };
  const { known, problems } = await neededKinds(needs, looking).catch((error) => {
    throw inPlainWords(error, client);
  });
  const [namespaces, rights] = await Promise.all([
    missingNamespaces(known, looking),
    missingRights(known, looking),
  ]);
  signal?.throwIfAborted();
  const all = [...problems, ...namespaces, ...problemsOf(rights, false)];
  if (all.length > 0) throw new ConfigError(all);
  for (const problem of problemsOf(rights, true))
    log.warn("a right is missing that it goes without", { problem });
}

function problemsOf(rights: readonly MissingRight[], optional: boolean): string[] {
  return rights.filter((right) => right.optional === optional).map(({ problem }) => problem);
}

/** The same, each need in its own cluster; those of others than `client`'s are told with their names. */
export async function preflightEverywhere(
  client: Client,
  needs: readonly Need[],
  options: PreflightOptions = {},
): Promise<void> {
  const clusters = new Set([undefined, ...needs.map(({ cluster }) => cluster)]);
  await Promise.all(
    Array.from(clusters, async (cluster) => {
      const there = needs.filter((need) => need.cluster === cluster);
      try {
        await preflight(cluster?.live ?? client, there, options);
      } catch (error) {
        if (!cluster || !(error instanceof ConfigError)) throw error;
        throw new ConfigError(error.problems.map((problem) => `in cluster ${cluster.name}: ${problem}`));
      }
    }),
  );
}

/** Of a server that does not answer us: what its owner or ours can mend. The message says it all, and no cause repeats it. */
function inPlainWords(error: unknown, { transport: { server } }: Client): unknown {
  if (error instanceof ConnectionError) return new ConfigError(error.message);
  if (error instanceof TimeoutError) {
    return new ConfigError(
      `expected ${server} to say which kinds it has, got no answer in time; ` +
        "is that its address, with https where it should be, and does a proxy or a firewall stand between?",
    );
  }
  if (!isUnauthorized(error)) return error;
  return new ConfigError(
    `expected ${server} to know who we are, got ${error.code} ${error.reason}; ` +
      "the credentials of this context's user are wrong, or have expired",
  );
}

async function missingNamespaces(needs: readonly KnownNeed[], looking: Looking): Promise<string[]> {
  const whys = new Map<string, Set<string>>();
  for (const need of needs) {
    for (const name of namespacesOf(need)) whys.set(name, (whys.get(name) ?? new Set()).add(need.why));
  }
  const names = [...whys.keys()];
  const there = await Promise.all(names.map((name) => exists(name, looking)));
  return names
    .filter((_, index) => !there[index])
    .map((name) => {
      const why = [...(whys.get(name) ?? [])].join("; ");
      return `expected namespace ${name} (${why}), got none; create it first:\n    kubectl create namespace ${name}`;
    });
}

/** Many may work in a namespace and not look at it: that tells nothing. */
async function exists(name: string, { client, signal, log }: Looking): Promise<boolean> {
  try {
    return (await client.get(Namespace, { name }, { signal })) !== undefined;
  } catch (error) {
    log.debug("cannot check beforehand whether a namespace is there", { namespace: name, error });
    return true;
  }
}
