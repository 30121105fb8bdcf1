import { type Kind, keyText, type ObjectKey } from "../api/index.ts";

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
