import { apiVersionOf, type Kind } from "../api/index.ts";
import { CustomResourceDefinition } from "../api/types/apiextensions/v1.ts";
import { type Client, ConfigError, resolveKind, UnknownKindError } from "../client/index.ts";
import type { Controller } from "../controller/index.ts";
import type { ManagerOptions } from "../manager/index.ts";

/**
 * Rejects with a `ConfigError` if the cluster lacks the CustomResourceDefinition of a kind that the controllers watch.
 *
 * The manager checks the same, but its message advises `kubectl apply`, and it first waits two seconds for the
 * definition. On virtual time that wait does not end. The manager's own options can disable this check.
 */
export async function rejectMissingKinds(
  client: Client,
  { controllers, client: given, preflight = true, missingKinds = "fail" }: ManagerOptions,
): Promise<void> {
  if (given || !preflight || missingKinds === "wait") return;
  const users = usersByKind(controllers);
  const missing = await Promise.all(Array.from(users.keys(), (kind) => isMissing(client, kind)));
  const kinds = [...users.keys()].filter((_, index) => missing[index]);
  if (kinds.length === 0) return;
  const names = kinds.map((kind) => `${apiVersionOf(kind)} ${kind.kind} (${users.get(kind)?.join(", ")})`);
  throw new ConfigError(
    `expected the cluster to have the CustomResourceDefinition of ${names.join(" and ")}, got none; ` +
      `add it where the test starts the cluster:\n    startCluster({ kinds: [${kinds.map(kindText).join(", ")}] })`,
  );
}

/** Returns the names of the controllers that watch each custom kind. */
function usersByKind(controllers: readonly Controller[]): Map<Kind, string[]> {
  const byName = new Map<string, { readonly kind: Kind; readonly users: Set<string> }>();
  for (const controller of controllers) {
    for (const { kind } of declaredKinds(controller).filter(isCustom)) {
      const name = `${apiVersionOf(kind)} ${kind.kind}`;
      const known = byName.get(name) ?? { kind, users: new Set() };
      known.users.add(`controller ${controller.name}`);
      byName.set(name, known);
    }
  }
  return new Map(Array.from(byName.values(), ({ kind, users }) => [kind, [...users]]));
}

function isCustom({ kind: { group } }: { readonly kind: Kind }): boolean {
  return group.includes(".") && !group.endsWith(".k8s.io");
}

/** Returns true if the server does not know the kind. Returns false on an error: the manager reports it. */
async function isMissing(client: Client, kind: Kind): Promise<boolean> {
  try {
    await resolveKind(client.transport, kind);
    return false;
  } catch (error) {
    if (!(error instanceof UnknownKindError)) return false;
  }
  const name = `${kind.plural}.${kind.group}`;
  return client.get(CustomResourceDefinition, { name }).then(
    (definition) => definition === undefined,
    () => false,
  );
}

function kindText({ kind, plural, group, definedHere }: Kind): string {
  return definedHere ? kind : `<the CustomResourceDefinition ${plural}.${group}>`;
}

/** A kind that a controller watches, and its view. */
export interface DeclaredKind {
  readonly kind: Kind;
  readonly view?: Controller["options"]["view"];
}

/**
 * Returns the kinds that a controller watches in its manager's cluster: the primary kind first, then the kinds of its
 * triggers.
 */
export function declaredKinds({ options }: Controller): DeclaredKind[] {
  const { for: kind, view, on = [] } = options;
  const others = on.flatMap((trigger) =>
    (trigger.type === "owns" || trigger.type === "watches") && !trigger.cluster ? [trigger] : [],
  );
  return [{ kind, view }, ...others];
}
