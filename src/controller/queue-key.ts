import { type Kind, keyText, type ObjectKey } from "../api/index.ts";

/**
 * The one text by which an object of `kind` stands in a queue, however its key was put: without a namespace it is in
 * `namespace`, and where the kind has none, none counts. What is no key stays what it is.
 */
export function queueKey(kind: Kind, key: ObjectKey | string, namespace: string): string {
  const text = typeof key === "string" ? key : keyText(key);
  const slash = text.indexOf("/");
  if (kind.namespaced) return slash < 0 && text !== "" ? `${namespace}/${text}` : text;
  return slash > 0 && !text.includes("/", slash + 1) ? text.slice(slash + 1) : text;
}
