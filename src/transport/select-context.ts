import type { Access } from "./access.ts";
import { ConfigError } from "./config-error.ts";
import type { Kubeconfig, KubeconfigCluster, KubeconfigContext, KubeconfigUser } from "./kubeconfig.ts";
import { optionsPlace } from "./overrides.ts";

/** Which entries of a kubeconfig to use instead of those that its current context names. */
export interface Selection {
  readonly context?: string | undefined;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  /** A server given from outside needs no entry that has one. */
  readonly server?: string | undefined;
}

/** The cluster and user to use. A name that is not there is an error that lists those that are. */
export function selectContext(kubeconfig: Kubeconfig, selection: Selection): Access {
  const context = findContext(kubeconfig, selection);
  const cluster = findCluster(kubeconfig, selection, context?.entry);
  const user = findUser(kubeconfig, selection, context?.entry);
  return {
    cluster,
    user,
    namespace: context?.entry.namespace ?? "default",
    origin: context ? `${context.entry.file}, context ${context.name}` : kubeconfig.files.join(", "),
  };
}

interface NamedContext {
  readonly name: string;
  readonly entry: KubeconfigContext;
}

function findContext(kubeconfig: Kubeconfig, selection: Selection): NamedContext | undefined {
  const { contexts, files, currentContext } = kubeconfig;
  const name = selection.context ?? currentContext;
  if (name !== undefined) {
    const wanted =
      selection.context === undefined ? `current-context in ${files.join(", ")}` : "the context option";
    return { name, entry: find(contexts, name, { kind: "context", wanted, files }) };
  }
  if (selection.cluster !== undefined || selection.server !== undefined) return undefined;
  const advice = "set it with kubectl config use-context, or pass context";
  throw new ConfigError(
    `expected a current-context in ${files.join(", ")}, got none: ${advice} (${namesOf(contexts, "context")})`,
  );
}

function findCluster(
  { clusters, files }: Kubeconfig,
  selection: Selection,
  context: KubeconfigContext | undefined,
): KubeconfigCluster {
  const name = selection.cluster ?? context?.cluster;
  if (name !== undefined)
    return find(clusters, name, { kind: "cluster", wanted: wantedBy("cluster", selection, context), files });
  if (selection.server !== undefined || !context)
    return { place: optionsPlace, insecureSkipTlsVerify: false };
  throw new ConfigError(context.place.problem("cluster", "to name a cluster", "none"));
}

function findUser(
  { users, files }: Kubeconfig,
  selection: Selection,
  context: KubeconfigContext | undefined,
): KubeconfigUser | undefined {
  const name = selection.user ?? context?.user;
  if (name === undefined) return undefined;
  return find(users, name, { kind: "user", wanted: wantedBy("user", selection, context), files });
}

function wantedBy(
  kind: "cluster" | "user",
  selection: Selection,
  context: KubeconfigContext | undefined,
): string {
  return selection[kind] === undefined && context ? context.place.describe(kind) : `the ${kind} option`;
}

interface Wanted {
  readonly kind: string;
  /** The setting that holds the name. */
  readonly wanted: string;
  readonly files: readonly string[];
}

function find<T>(entries: ReadonlyMap<string, T>, name: string, { kind, wanted, files }: Wanted): T {
  const entry = entries.get(name);
  if (entry !== undefined) return entry;
  throw new ConfigError(
    `expected ${wanted} to name a ${kind} of ${files.join(", ")}, got "${name}" (${namesOf(entries, kind)})`,
  );
}

function namesOf(entries: ReadonlyMap<string, unknown>, kind: string): string {
  return entries.size === 0 ? `there is no ${kind}` : `there are: ${[...entries.keys()].join(", ")}`;
}
