import { apiVersionOf, type Kind, type KubeObject, type List } from "../api/index.ts";
import { type ApiRequest, isExpired, ListReader, parseBody, type Transport } from "../transport/index.ts";
import { acceptForList } from "./collection.ts";
import { fetchBody, fetchJson } from "./fetch-json.ts";
import { withoutManagedFields } from "./managed-fields.ts";
import type { ListOptions, Page } from "./options.ts";
import { listQuery } from "./query.ts";
import { type Query, withQuery } from "./resource-path.ts";

/** One list, asked for page by page. */
export interface Listing<T extends KubeObject> {
  readonly transport: Transport;
  readonly kind: Kind<T>;
  /** Of the collection. */
  readonly path: string;
  readonly options: ListOptions;
}

/**
 * The pages of a list. They are of one moment: all of them have the first one's resourceVersion, which goes with the
 * first request alone. Where the server no longer has that moment, the next page throws `isExpired`.
 */
export async function* listPages<T extends KubeObject>(
  listing: Listing<T>,
): AsyncGenerator<Page<T>, void, void> {
  const { pageSize: limit = 500, resourceVersion, resourceVersionMatch, onProgress } = listing.options;
  let token: string | undefined;
  let loaded = 0;
  do {
    const from: Query = token === undefined ? { resourceVersion, resourceVersionMatch } : { continue: token };
    const { items, metadata } = await listOnce(listing, { limit, ...from });
    token = metadata.continue || undefined;
    const remaining = token === undefined ? 0 : metadata.remainingItemCount;
    loaded += items.length;
    onProgress?.({ loaded, remaining });
    yield { items, remaining, resourceVersion: metadata.resourceVersion ?? "" };
  } while (token !== undefined);
}

/** The whole list. When its pages expire under way, it is asked for again in one piece. */
export async function listWhole<T extends KubeObject>(listing: Listing<T>): Promise<T[]> {
  const all: T[] = [];
  try {
    for await (const { items } of listPages(listing)) {
      for (const item of items) all.push(item);
    }
    return all;
  } catch (error) {
    if (all.length === 0 || !isExpired(error)) throw error;
    const { resourceVersion, resourceVersionMatch, onProgress } = listing.options;
    const { items } = await listOnce(listing, { resourceVersion, resourceVersionMatch });
    onProgress?.({ loaded: items.length, remaining: 0 });
    return items;
  }
}

async function listOnce<T extends KubeObject>(listing: Listing<T>, page: Query): Promise<Contents<T>> {
  const { transport, kind, path, options } = listing;
  const request: ApiRequest = {
    method: "GET",
    path: withQuery(path, { ...listQuery(options), ...page }),
    headers: { accept: acceptForList(kind) },
    signal: options.signal,
  };
  const list = options.managedFields
    ? await fetchJson<List<T>>(transport, request)
    : await fetchLean<T>(transport, request);
  return { metadata: list.metadata, items: named(kind, list.items ?? []) };
}

type Contents<T extends KubeObject> = Pick<List<T>, "metadata" | "items">;

/** The list without its objects' managedFields, parsed while it comes. */
async function fetchLean<T extends KubeObject>(
  transport: Transport,
  request: ApiRequest,
): Promise<Contents<T>> {
  let reader = new ListReader();
  const newReader = (): ListReader => (reader = new ListReader());
  const response = await fetchBody(transport, { ...request, reader: newReader });
  if (response.body.length > 0) newReader().push(response.body); // it came whole
  const rest = parseBody<Partial<List<T>>>(request, { ...response, body: reader.end() });
  const metadata = rest.metadata ?? (reader.metadata as List<T>["metadata"]); // the server's word is taken
  const items = reader.items as T[]; // for these types
  for (const item of rest.items ?? []) items.push(withoutManagedFields(item));
  return { metadata, items };
}

/** Gives each item its `apiVersion` and `kind`, which servers leave out of lists of built-in kinds. */
function named<T extends KubeObject>(kind: Kind<T>, items: T[]): T[] {
  const apiVersion = kind.metadataOnly ? "meta.k8s.io/v1" : apiVersionOf(kind);
  const kindText = kind.metadataOnly ? "PartialObjectMetadata" : kind.kind;
  for (const item of items) {
    item.apiVersion ??= apiVersion;
    item.kind ??= kindText;
  }
  return items;
}
