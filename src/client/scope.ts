import { type Kind, kindName, type ObjectKey, parseKey } from "../api/index.ts";
import { segment } from "./resource-path.ts";

/** Which namespace a client means when none is named, and whether it may name another. */
export interface Scope {
  readonly namespace: string;
  /** Every other namespace is refused. */
  readonly only: boolean;
}

/** The scope kept to `namespace` for good: one that is kept to a namespace is not let out of it. */
export function restrictTo(namespace: string, scope: Scope): Scope {
  segment(namespace, "namespace");
  if (scope.only && namespace !== scope.namespace) throw outside(scope, "a client", namespace);
  return { namespace, only: true };
}

/** The whole key of one object: its namespace filled in for kinds that have one, left out for those that do not. */
export function keyIn(scope: Scope, kind: Kind, key: ObjectKey | string): ObjectKey {
  const { name, namespace } = parseKey(key);
  if (!kind.namespaced) return { name };
  return { name, namespace: namespaceIn(scope, kind, namespace) };
}

/** The namespace of a list, or `undefined` for all. */
export function listNamespaceIn(scope: Scope, kind: Kind, namespace: string | undefined): string | undefined {
  if (!kind.namespaced) return undefined;
  return scope.only || namespace ? namespaceIn(scope, kind, namespace) : undefined;
}

function namespaceIn(scope: Scope, kind: Kind, namespace: string | undefined): string {
  if (scope.only && namespace && namespace !== scope.namespace) {
    throw outside(scope, kindName(kind), namespace);
  }
  return namespace || scope.namespace;
}

function outside({ namespace }: Scope, what: string, got: string): TypeError {
  return new TypeError(
    `expected ${what} in namespace ${namespace}, which this client is kept to, got ${got}`,
  );
}
