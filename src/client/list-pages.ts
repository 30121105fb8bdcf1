import { apiVersionOf, type Kind, type KubeObject, type List } from "../api/index.ts";
import { type Clock, onAbort } from "../base/index.ts";
import {
  type ApiRequest,
  type BodyReader,
  isExpired,
  ListReader,
  PageProgress,
  ParsedItems,
  type Transport,
} from "../transport/index.ts";
import { collectionOf } from "./collection.ts";
import { fetchBody } from "./fetch-json.ts";
import type { ListOptions, Page } from "./options.ts";
import type { Query } from "./resource-path.ts";

/** One list, requested page by page. */
export interface Listing<T extends KubeObject> {
  readonly transport: Transport;
  readonly kind: Kind<T>;
  /** Path of the collection. */
  readonly path: string;
  readonly options: ListOptions;
  /** The clock for the delay after an empty page. @default the real clock */
  readonly clock?: Clock | undefined;
}

/**
 * Returns the pages of a list. All pages show the same resource version, and only the first request may name one. If
 * the server no longer has that version, the next page throws `isExpired`.
 */
export function listPages<T extends KubeObject>(listing: Listing<T>): AsyncGenerator<Page<T>, void, void> {
  return pages(listing, { prefetch: false });
}

/**
 * Returns the complete list. Each page is requested while the previous one arrives. If the list expires, it is
 * requested again as a single page.
 */
export async function listAll<T extends KubeObject>(listing: Listing<T>): Promise<T[]> {
  const { signal, resourceVersion, resourceVersionMatch, onProgress } = listing.options;
  const all: T[] = [];
  let started = false; // the first page may be empty
  const stop = new AbortController();
  using _following = onAbort(signal, (reason) => stop.abort(reason));
  try {
    const options = { ...listing.options, signal: stop.signal };
    for await (const { items } of pages({ ...listing, options }, { prefetch: true })) {
      started = true;
      for (const item of items) all.push(item);
    }
    return all;
  } catch (error) {
    if (!started || !isExpired(error)) throw error;
    const { items } = await listOnce(listing, { resourceVersion, resourceVersionMatch });
    onProgress?.({ loaded: items.length, remaining: 0 });
    return items;
  } finally {
    stop.abort(); // ends the request of a prefetched page that is not needed
  }
}

async function* pages<T extends KubeObject>(
  listing: Listing<T>,
  { prefetch }: { readonly prefetch: boolean },
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
    if (prefetch) page.prefetchNext();
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

/** A page that is being received. Its first bytes contain the token of the next page. */
class RequestedPage<T extends KubeObject> {
  readonly contents: Promise<Contents<T>>;
  readonly #listing: Listing<T>;
  readonly #limit: Query;
  #token: string | undefined;
  #prefetch = false;
  #next: { readonly token: string; readonly page: RequestedPage<T> } | undefined;

  constructor(listing: Listing<T>, { limit, ...from }: Query) {
    this.#listing = listing;
    this.#limit = { limit };
    this.contents = listOnce(listing, { limit, ...from }, (token) => this.#onToken(token));
    this.contents.catch(() => {}); // prevents an unhandled rejection if the page is not awaited
  }

  /** Requests the next page as soon as its token has arrived, but not the page after it. */
  prefetchNext(): void {
    this.#prefetch = true;
    if (this.#token) this.next(this.#token);
  }

  /** Returns the page with this token, and requests it if necessary. */
  next(token: string): RequestedPage<T> {
    if (this.#next?.token !== token) {
      this.#next = { token, page: new RequestedPage(this.#listing, { ...this.#limit, continue: token }) };
    }
    return this.#next.page;
  }

  #onToken(token: string | undefined): void {
    this.#token = token;
    if (this.#prefetch && token) this.next(token);
  }
}

type OnToken = (token: string | undefined) => void;

async function listOnce<T extends KubeObject>(
  listing: Listing<T>,
  page: Query,
  onToken: OnToken = () => {},
): Promise<Contents<T>> {
  const { transport, kind, path, options } = listing;
  const request = collectionOf(kind, path, options).listRequest(page, options.signal);
  const { managedFields } = options;
  let reader = new PageReader<T>(request, { managedFields });
  const newReader = (): PageReader<T> => (reader = new PageReader(request, { managedFields, onToken }));
  const response = await fetchBody(transport, { ...request, reader: newReader });
  if (response.body.length > 0) {
    reader = new PageReader(request, { managedFields }); // the transport returned a buffered body
    reader.push(response.body);
  }
  const { metadata, items } = reader.end();
  return { metadata, items: withType(kind, items) };
}

type Contents<T extends KubeObject> = Pick<List<T>, "metadata" | "items">;

/** Parses one page as it arrives. */
class PageReader<T extends KubeObject> implements BodyReader {
  readonly #list: ListReader;
  readonly #items: ParsedItems<T>;
  /** The error of the body, if it is not a list. A reader must not throw while it receives. */
  #error: unknown;

  constructor(request: ApiRequest, { managedFields, onToken }: PageReaderOptions) {
    this.#items = new ParsedItems({ managedFields });
    this.#list = new ListReader({
      request,
      onItem: this.#items.onItem,
      onMetadata: (metadata) => onToken?.(metadata.continue),
    });
  }

  push(chunk: Buffer): void {
    if (this.#error !== undefined) return;
    try {
      this.#list.push(chunk);
    } catch (error) {
      this.#error = error;
    }
  }

  end(): Contents<T> {
    if (this.#error !== undefined) throw this.#error;
    const metadata = this.#list.end();
    return { metadata, items: this.#items.items };
  }
}

interface PageReaderOptions {
  readonly managedFields: boolean | undefined;
  /** Called with the token of the next page, as soon as it has arrived. */
  readonly onToken?: OnToken | undefined;
}

/** Sets `apiVersion` and `kind` of each item, which servers omit in lists of built-in kinds. */
function withType<T extends KubeObject>(kind: Kind<T>, items: T[]): T[] {
  const apiVersion = kind.metadataOnly ? "meta.k8s.io/v1" : apiVersionOf(kind);
  const kindText = kind.metadataOnly ? "PartialObjectMetadata" : kind.kind;
  for (const item of items) {
    item.apiVersion ??= apiVersion;
    item.kind ??= kindText;
  }
  return items;
}
