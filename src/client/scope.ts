import { type Kind, kindName, type ObjectKey, parseKey } from "../api/index.ts";

/** Which namespace a client means when none is named, and whether it may name another. */
export interface Scope {
  readonly namespace: string;
  /** Every other namespace is refused. */
  readonly only: boolean;
}

/** The whole key of one object: its namespace filled in for kinds that have one, left out for those that do not. */
export function keyIn(scope: Scope, kind: Kind, key: ObjectKey | string): ObjectKey {
  const { name, namespace } = typeof key === "string" ? parseKey(key) : key;
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
    throw new TypeError(
      `expected ${kindName(kind)} in namespace ${scope.namespace}, which this client is kept to, got ${namespace}`,
    );
  }
  return namespace || scope.namespace;
}
