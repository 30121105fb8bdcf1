import type { Kind, KubeObject } from "../api/index.ts";
import type { ApiRequest } from "../transport/index.ts";
import type { ListOptions } from "./options.ts";
import { listQuery } from "./query.ts";
import { type Query, withQuery } from "./resource-path.ts";

export type { Query } from "./resource-path.ts";

export interface CollectionOptions extends Pick<ListOptions, "namespace" | "labels" | "fields" | "signal"> {
  /** What this call returned before, if the server no longer serves it: the kind is looked up again. */
  readonly stale?: Pick<Collection, "kind"> | undefined;
}

/** Objects of one kind, in one namespace or all, as far as selectors choose them. */
export interface Collection<T extends KubeObject = KubeObject> {
  /** With its plural and scope. */
  readonly kind: Kind<T>;
  /** From the API server's root, without a query. */
  readonly path: string;
  /** The request of a list, or of a page of it. */
  listRequest(query: Query, signal?: AbortSignal): ApiRequest;
  watchRequest(query: Query, signal?: AbortSignal): ApiRequest;
}

export function collectionOf<T extends KubeObject>(
  kind: Kind<T>,
  path: string,
  options: CollectionOptions,
): Collection<T> {
  const selected = listQuery(options);
  const get = (query: Query, accept: string, signal?: AbortSignal): ApiRequest => ({
    method: "GET",
    path: withQuery(path, { ...selected, ...query }),
    headers: { accept },
    signal,
  });
  return {
    kind,
    path,
    listRequest: (query, signal) => ({ ...get(query, acceptForList(kind), signal), compressible: true }),
    watchRequest: (query, signal) => get({ watch: true, ...query }, acceptFor(kind), signal),
  };
}

/** What to ask for one object of a kind, or for events of it. */
export function acceptFor(kind: Kind): string {
  return kind.metadataOnly
    ? "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
    : "application/json";
}

/** What to ask for a list of a kind. */
export function acceptForList(kind: Kind): string {
  return kind.metadataOnly
    ? "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
    : "application/json";
}
