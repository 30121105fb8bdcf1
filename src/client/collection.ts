import { fieldMatcher, type Kind, type KubeObject, selectorMatcher } from "../api/index.ts";
import type { ApiRequest } from "../transport/index.ts";
import type { ListOptions } from "./options.ts";
import { type Query, withQuery } from "./resource-path.ts";

export type { Query } from "./resource-path.ts";

export interface CollectionOptions extends Pick<ListOptions, "namespace" | "labels" | "fields" | "signal"> {
  /** The previous result of this call, if the server no longer serves it. The kind is then resolved again. */
  readonly stale?: Pick<Collection, "kind"> | undefined;
}

/** The objects of one kind, in one namespace or all, that match the selectors. */
export interface Collection<T extends KubeObject = KubeObject> {
  /** The kind with its plural and scope. */
  readonly kind: Kind<T>;
  /** The path from the API server's root, without a query. */
  readonly path: string;
  /** Returns the request for a list or a page of it. */
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

/** Returns the `Accept` header for an object of a kind, or for its watch events. */
export function acceptFor(kind: Kind): string {
  return kind.metadataOnly
    ? "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
    : "application/json";
}

/** Returns the `Accept` header for a list of a kind. */
export function acceptForList(kind: Kind): string {
  return kind.metadataOnly
    ? "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
    : "application/json";
}

/** Returns the query parameters of selectors, for lists, watches and deletions. */
export function listQuery({ labels, fields }: Pick<ListOptions, "labels" | "fields">): Query {
  return { labelSelector: labelText(labels) || undefined, fieldSelector: fieldText(fields) || undefined };
}

/** Returns the label selector. Pairs are validated, because a value with a comma would match other objects. */
function labelText(labels: ListOptions["labels"]): string | undefined {
  return typeof labels === "object" ? selectorMatcher({ matchLabels: labels }).text : labels;
}

/** Returns the field selector. Special characters in the values of pairs are escaped. */
function fieldText(fields: ListOptions["fields"]): string | undefined {
  return typeof fields === "object" ? fieldMatcher(fields).text : fields;
}
