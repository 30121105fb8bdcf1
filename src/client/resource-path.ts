import type { Kind, ObjectKey } from "../api/index.ts";

/** Where a kind's objects are: in one namespace, or in all where `namespace` is left out. */
export function collectionPath(kind: Kind, namespace?: string): string {
  const root = kind.group === "" ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  if (!kind.namespaced || namespace === undefined) return `${root}/${kind.plural}`;
  return `${root}/namespaces/${segment(namespace, "namespace")}/${kind.plural}`;
}

/** Where one object is. A namespace in the key of a cluster-scoped kind is ignored. */
export function objectPath(kind: Kind, key: ObjectKey): string {
  return `${collectionPath(kind, key.namespace)}/${segment(key.name, "name")}`;
}

/** Where a part of the object at `path` is. */
export function partPath(path: string, subresource: string): string {
  return `${path}/${segment(subresource, "subresource")}`;
}

/** A path with a query. */
export function withQuery(path: string, query: Query): string {
  let text = "";
  for (const name in query) {
    const value = query[name];
    if (value !== undefined) text += `${text === "" ? "?" : "&"}${name}=${encodeURIComponent(value)}`;
  }
  return path + text;
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A name as one segment of a path. Refuses what would be another path. */
export function segment(text: string, what: string): string {
  if (text === "" || text === "." || text === ".." || text.includes("/") || text.includes("%")) {
    throw new TypeError(`expected a ${what} to be neither empty nor a path, got ${JSON.stringify(text)}`);
  }
  return encodeURIComponent(text);
}
