import type { Access } from "./access.ts";
import { ConfigError } from "./config-error.ts";
import type { Kubeconfig, KubeconfigCluster, KubeconfigContext, KubeconfigUser } from "./kubeconfig.ts";
import { optionsPlace } from "./overrides.ts";

/** The entries of a kubeconfig to use in place of those of its current context. */
export interface Selection {
  readonly context?: string | undefined;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  /** The server option. With it, no entry with a server is needed. */
  readonly server?: string | undefined;
}

/** Returns the selected cluster and user. Throws for an unknown name, with the known names in the message. */
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

interface EntryReference {
  readonly kind: string;
  /** The setting that contains the name. */
  readonly wanted: string;
  readonly files: readonly string[];
}

function find<T>(entries: ReadonlyMap<string, T>, name: string, { kind, wanted, files }: EntryReference): T {
  const entry = entries.get(name);
  if (entry !== undefined) return entry;
  throw new ConfigError(
    `expected ${wanted} to name a ${kind} of ${files.join(", ")}, got "${name}" (${namesOf(entries, kind)})`,
  );
}

function namesOf(entries: ReadonlyMap<string, unknown>, kind: string): string {
  return entries.size === 0 ? `it has no ${kind}` : `known: ${[...entries.keys()].join(", ")}`;
}
