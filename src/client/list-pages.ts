import { apiVersionOf, type Kind, type KubeObject, type List } from "../api/index.ts";
import { type Clock, onAbort } from "../base/index.ts";
import {
  type ApiRequest,
  isExpired,
  ListReader,
  PageProgress,
  parseBody,
  type Transport,
} from "../transport/index.ts";
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
  /** For the pause after an empty page. @default the machine's */
  readonly clock?: Clock | undefined;
}

/**
 * The pages of a list. They are of one moment: all of them have the first one's resourceVersion, which goes with the
 * first request alone. Where the server no longer has that moment, the next page throws `isExpired`.
 */
export function listPages<T extends KubeObject>(listing: Listing<T>): AsyncGenerator<Page<T>, void, void> {
  return pages(listing, { ahead: false });
}

/**
 * The whole list, each page of it asked for while the one before is on its way. When its pages expire, it is asked for
 * again in one piece.
 */
export async function listAll<T extends KubeObject>(listing: Listing<T>): Promise<T[]> {
  const { signal, resourceVersion, resourceVersionMatch, onProgress } = listing.options;
  const all: T[] = [];
  let begun = false; // a page may have nothing in it
  const stop = new AbortController();
  using _following = onAbort(signal, (reason) => stop.abort(reason));
  try {
    const options = { ...listing.options, signal: stop.signal };
    for await (const { items } of pages({ ...listing, options }, { ahead: true })) {
      begun = true;
      for (const item of items) all.push(item);
    }
    return all;
  } catch (error) {
    if (!begun || !isExpired(error)) throw error;
    const { items } = await listOnce(listing, { resourceVersion, resourceVersionMatch });
    onProgress?.({ loaded: items.length, remaining: 0 });
    return items;
  } finally {
    stop.abort(); // a page that was asked for ahead, and is not wanted any more
  }
}

async function* pages<T extends KubeObject>(
  listing: Listing<T>,
  { ahead }: { readonly ahead: boolean },
): AsyncGenerator<Page<T>, void, void> {
  const { pageSize: limit = 500, resourceVersion, resourceVersionMatch, onProgress } = listing.options;
  let page: RequestedPage<T> | undefined = new RequestedPage(listing, {
    limit,
    resourceVersion,
    resourceVersionMatch,
  });
  const { clock, path, options } = listing;
  const progress = new PageProgress({ clock, signal: options.signal });
  for (let loaded = 0; page !== undefined; ) {
    options.signal?.throwIfAborted();
    if (ahead) page.askAhead();
    const contents: Contents<T> = await page.contents;
    const { items, metadata } = contents;
    const token: string | undefined = metadata.continue || undefined;
    const remaining = token === undefined ? 0 : metadata.remainingItemCount;
    loaded += items.length;
    onProgress?.({ loaded, remaining });
    yield { items, remaining, resourceVersion: metadata.resourceVersion ?? "" };
    if (token !== undefined)
      await progress.next({ token, count: items.length, request: { method: "GET", path } });
    page = token === undefined ? undefined : page.next(token);
  }
}

/** A page on its way. The token of the next comes with its first bytes. */
class RequestedPage<T extends KubeObject> {
  readonly contents: Promise<Contents<T>>;
  readonly #listing: Listing<T>;
  readonly #limit: Query;
  #token: string | undefined;
  #ahead = false;
  #next: { readonly token: string; readonly page: RequestedPage<T> } | undefined;

  constructor(listing: Listing<T>, { limit, ...from }: Query) {
    this.#listing = listing;
    this.#limit = { limit };
    this.contents = listOnce(listing, { limit, ...from }, (token) => this.#hear(token));
    this.contents.catch(() => {}); // it may be that nobody waits for it
  }

  /** From now on the next page is asked for as soon as its token has come, and not the one after that. */
  askAhead(): void {
    this.#ahead = true;
    if (this.#token) this.next(this.#token);
  }

  /** The page with that token, asked for now if it has not been. */
  next(token: string): RequestedPage<T> {
    if (this.#next?.token !== token) {
      this.#next = { token, page: new RequestedPage(this.#listing, { ...this.#limit, continue: token }) };
    }
    return this.#next.page;
  }

  #hear(token: string | undefined): void {
    this.#token = token;
    if (this.#ahead && token) this.next(token);
  }
}

type OnToken = (token: string | undefined) => void;

async function listOnce<T extends KubeObject>(
  listing: Listing<T>,
  page: Query,
  onToken: OnToken = () => {},
): Promise<Contents<T>> {
  const { transport, kind, path, options } = listing;
  const request: ApiRequest = {
    method: "GET",
    path: withQuery(path, { ...listQuery(options), ...page }),
    headers: { accept: acceptForList(kind) },
    signal: options.signal,
    compressible: true,
  };
  const list = options.managedFields
    ? await fetchJson<List<T>>(transport, request)
    : await fetchLean<T>(transport, request, onToken);
  return { metadata: list.metadata, items: named(kind, list.items ?? []) };
}

type Contents<T extends KubeObject> = Pick<List<T>, "metadata" | "items">;

/** The list without its objects' managedFields, parsed while it comes. */
async function fetchLean<T extends KubeObject>(
  transport: Transport,
  request: ApiRequest,
  onToken: OnToken,
): Promise<Contents<T>> {
  let reader = new ListReader();
  const onItems = (metadata: unknown): void =>
    onToken((metadata as List<T>["metadata"] | undefined)?.continue);
  const newReader = (): ListReader => (reader = new ListReader(onItems));
  const response = await fetchBody(transport, { ...request, reader: newReader });
  if (response.body.length > 0) {
    reader = new ListReader(); // it came whole
    reader.push(response.body);
  }
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
