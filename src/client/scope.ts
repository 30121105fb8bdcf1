import { type Kind, kindName, type ObjectKey, parseKey } from "../api/index.ts";
import { segment } from "./resource-path.ts";

/** The default namespace of a client, and whether the client is restricted to it. */
export interface Scope {
  readonly namespace: string;
  /** True if calls for another namespace are refused. */
  readonly restricted: boolean;
}

/** Returns the scope restricted to `namespace`. Throws if it is already restricted to another one. */
export function restrictTo(namespace: string, scope: Scope): Scope {
  segment(namespace, "namespace");
  if (scope.restricted && namespace !== scope.namespace) throw outside(scope, "a client", namespace);
  return { namespace, restricted: true };
}

/**
 * Returns the complete key of an object: with a namespace for namespaced kinds, without one for cluster-scoped kinds.
 */
export function keyIn(scope: Scope, kind: Kind, key: ObjectKey | string): ObjectKey {
  const { name, namespace } = parseKey(key);
  if (!kind.namespaced) return { name };
  return { name, namespace: namespaceIn(scope, kind, namespace) };
}

/** Returns the namespace of a list, or `undefined` for all. */
export function listNamespaceIn(scope: Scope, kind: Kind, namespace: string | undefined): string | undefined {
  if (!kind.namespaced) return undefined;
  return scope.restricted || namespace ? namespaceIn(scope, kind, namespace) : undefined;
}

function namespaceIn(scope: Scope, kind: Kind, namespace: string | undefined): string {
  if (scope.restricted && namespace && namespace !== scope.namespace) {
    throw outside(scope, kindName(kind), namespace);
  }
  return namespace || scope.namespace;
}

/** Throws if the client cannot reach all objects of the kind. */
export function requireAllNamespaces({ restricted, namespace }: Scope, kind: Kind, verb: string): void {
  if (!restricted || !kind.namespaced) return;
  throw new TypeError(
    `expected a client for all namespaces for ${verb} of ${kindName(kind)}, got one restricted to ${namespace}`,
  );
}

function outside({ namespace }: Scope, what: string, got: string): TypeError {
  return new TypeError(
    `expected ${what} in namespace ${namespace}, which this client is restricted to, got ${got}`,
  );
}
