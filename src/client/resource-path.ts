import type { Kind, ObjectKey } from "../api/index.ts";

/** Returns the path of a kind's objects in one namespace, or in all if `namespace` is omitted. */
export function collectionPath(kind: Kind, namespace?: string): string {
  const root = kind.group === "" ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  if (!kind.namespaced || namespace === undefined) return `${root}/${kind.plural}`;
  return `${root}/namespaces/${segment(namespace, "namespace")}/${kind.plural}`;
}

/** Returns the path of an object. The namespace of a key is ignored for a cluster-scoped kind. */
export function objectPath(kind: Kind, key: ObjectKey): string {
  return `${collectionPath(kind, key.namespace)}/${segment(key.name, "name")}`;
}

/** Returns the path of a subresource of the object at `path`. */
export function subresourcePath(path: string, subresource: string): string {
  return `${path}/${segment(subresource, "subresource")}`;
}

/** Appends a query to a path. */
export function withQuery(path: string, query: Query): string {
  let text = "";
  for (const name in query) {
    const value = query[name];
    if (value !== undefined) text += `${text === "" ? "?" : "&"}${name}=${encodeURIComponent(value)}`;
  }
  return path + text;
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Encodes a name as one segment of a path. Throws for a name that would change the path. */
export function segment(text: string, what: string): string {
  if (text === "" || text === "." || text === ".." || text.includes("/") || text.includes("%")) {
    throw new TypeError(`expected a ${what} to be neither empty nor a path, got ${JSON.stringify(text)}`);
  }
  return encodeURIComponent(text);
}
