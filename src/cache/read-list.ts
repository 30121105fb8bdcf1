import type { KubeObject } from "../api/index.ts";
import { asError, type Clock } from "../base/index.ts";
import type { Collection, Query } from "../client/index.ts";
import {
  ApiError,
  type ApiRequest,
  endOfValue,
  isExpired,
  PageProgress,
  type Transport,
} from "../transport/index.ts";
import { type BodyConsumer, broken, consumeBody } from "./consume-body.ts";
import type { Entry } from "./entry.ts";
import type { DecodeFailure, EntryReader } from "./entry-reader.ts";
import { type ListHead, ListItems, NotAListError } from "./list-items.ts";

export interface ReadListOptions<T extends KubeObject> {
  readonly collection: Collection<T>;
  readonly transport: Transport;
  readonly reader: EntryReader<T>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The list is not older than this. Empty: the newest there is. */
  readonly version: string;
  /** Objects in a page. @default 500, and all at once where a version is asked for: that comes out of a server's memory */
  readonly pageSize?: number | undefined;
  /** Told when bytes came: how many objects have come in all. */
  readonly onHeard: (objects: number) => void;
}

/** A whole list. */
export interface ReadList {
  readonly entries: Entry[];
  /** What was in it, and could not be taken. */
  readonly decodeFailures: DecodeFailure[];
  readonly resourceVersion: string;
}

/**
 * Reads a list page by page, of one moment. If the server forgets that moment meanwhile, the list is requested once more, in one
 * piece. A server that forgets that one as well, or repeats a `continue` token, has failed: the caller backs off.
 */
export async function readList<T extends KubeObject>(options: ReadListOptions<T>): Promise<ReadList> {
  const { version, pageSize: limit = version === "" ? 500 : undefined } = options;
  const from: Query =
    version === "" ? {} : { resourceVersion: version, resourceVersionMatch: "NotOlderThan" };
  const list = new Pages(options);
  options.reader.skipCompression = false; // however fast it comes: it is all there is
  try {
    return await readPages(list, { ...from, limit }, options);
  } catch (error) {
    if (list.pages === 0 || !isExpired(error)) throw error;
    list.forget();
    return await readPages(list, from, options).catch((again: unknown) => {
      throw list.pages > 0 && isExpired(again) ? expiredTwice(again) : again;
    });
  }
}

/** @param first the query of the first page; its `limit` is that of all pages */
async function readPages<T extends KubeObject>(
  list: Pages<T>,
  first: Query,
  { collection, clock, signal }: ReadListOptions<T>,
): Promise<ReadList> {
  const { limit } = first;
  const progress = new PageProgress({ clock, signal });
  const { resourceVersion, ...head } = await list.page(first);
  for (let token = head.continue; token !== undefined; ) {
    await progress.next({ token, count: list.count, request: collection.listRequest({}) });
    ({ continue: token } = await list.page({ limit, continue: token }));
  }
  return { entries: list.entries, decodeFailures: list.decodeFailures, resourceVersion };
}

/** Not an expired resource version, which the reflector would answer with another list at once. */
function expiredTwice(cause: Error): Error {
  return new Error(
    `expected the next page of a list, got an expired continue token twice: ${cause.message}`,
    { cause },
  );
}

/** What the pages so far had in them. */
class Pages<T extends KubeObject> implements BodyConsumer {
  entries: Entry[] = [];
  decodeFailures: DecodeFailure[] = [];
  readonly maxSilenceMs: number = 70_000;
  readonly full: boolean = false;
  /** How many pages have come. */
  pages = 0;
  /** How many objects the last page had. */
  count = 0;
  readonly #options: ReadListOptions<T>;
  #items: ListItems = new ListItems(() => 0);

  constructor(options: ReadListOptions<T>) {
    this.#options = options;
  }

  async page(query: Query): Promise<ListHead & { readonly resourceVersion: string }> {
    const { collection, transport, clock, signal } = this.#options;
    const request = collection.listRequest(query);
    const before = this.entries.length + this.decodeFailures.length;
    this.#items = new ListItems((bytes, start) => this.#item(bytes, start));
    await consumeBody({ transport, clock, signal, request }, this).catch((error: unknown) => {
      throw error instanceof NotAListError ? noList(request, `${error.message}; ${whose}`) : error;
    });
    const head = this.#items.end();
    if (!head) throw broken(request, "an end in the middle of a list", "LIST_BROKEN");
    this.pages += 1;
    this.count = this.entries.length + this.decodeFailures.length - before;
    return checked(head, request);
  }

  forget(): void {
    this.entries = [];
    this.decodeFailures = [];
    this.pages = 0;
  }

  onOpen(): void {}

  take(bytes: Buffer): void {
    this.#items.push(bytes);
    this.#options.onHeard(this.entries.length + this.decodeFailures.length);
  }

  whenReady(run: () => void): void {
    run();
  }

  /** What a scan cannot make out may be whole all the same: white space is no servers' habit, but it is JSON. */
  #item(bytes: Buffer, start: number): number {
    const { reader } = this.#options;
    const { end, entry } = reader.item(bytes, start);
    if (entry) return this.#add(entry, end);
    const parsedEnd = endOfValue(bytes, start);
    if (parsedEnd < 0) return parsedEnd;
    return this.#add(parsedItem(reader, bytes.toString("utf8", start, parsedEnd)), parsedEnd);
  }

  #add(entry: Entry | DecodeFailure, end: number): number {
    if ("error" in entry) this.decodeFailures.push(entry);
    else this.entries.push(entry);
    return end;
  }
}

function parsedItem<T extends KubeObject>(reader: EntryReader<T>, text: string): Entry | DecodeFailure {
  try {
    return reader.object(JSON.parse(text) as T); // the reader looks whether it is one
  } catch (cause) {
    return { type: "undecodable", error: asError(cause), key: undefined, resourceVersion: undefined };
  }
}

function checked(head: ListHead, request: ApiRequest): ListHead & { readonly resourceVersion: string } {
  const { listed, kind, resourceVersion } = head;
  if (listed && resourceVersion) return { ...head, resourceVersion };
  throw noList(request, listed ? "one without a resourceVersion" : `a ${kind ?? "thing without a kind"}`);
}

function noList(request: ApiRequest, got: string): ApiError {
  const message = `expected a list from ${request.method} ${request.path}, got ${got}`;
  return new ApiError(message, { code: 200, reason: "InvalidResponse", request });
}

const whose = "is that address a Kubernetes API server?";
