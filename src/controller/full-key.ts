import { type AnyKind, isDiscovered, type Kind, keyText, type ObjectKey, parseKey } from "../api/index.ts";

/** Returns the key of an object as caches have it: with `namespace` if it has none and may need one. */
export function fullKey(kind: AnyKind, key: ObjectKey | string, namespace: string): ObjectKey {
  const { name, namespace: given = namespace } = parseKey(key);
  return isDiscovered(kind) && !kind.namespaced ? { name } : { name, namespace: given };
}

/**
 * Returns the canonical queue key of an object, so that each object has exactly one. Adds `namespace` to a key of a
 * namespaced kind without one, and removes the namespace from a key of a cluster-scoped kind. Returns invalid keys
 * unchanged.
 */
export function queueKey(kind: Kind, key: ObjectKey | string, namespace: string): string {
  const text = typeof key === "string" ? key : keyText(key);
  const slash = text.indexOf("/");
  if (kind.namespaced) return slash < 0 && text !== "" ? `${namespace}/${text}` : text;
  return slash > 0 && !text.includes("/", slash + 1) ? text.slice(slash + 1) : text;
}
