import type { KubeObject } from "../../api/index.ts";
import type { Clock } from "../../base/index.ts";
import type { Collection, Query } from "../../client/index.ts";
import {
  type BodyConsumer,
  consumeBody,
  isExpired,
  ListReader,
  maxSilenceMs,
  notAListError,
  PageProgress,
  type Transport,
} from "../../transport/index.ts";
import type { Entry } from "../objects/entry.ts";
import type { DecodeFailure, EntryReader } from "../objects/entry-reader.ts";

export interface ReadListOptions<T extends KubeObject> {
  readonly collection: Collection<T>;
  readonly transport: Transport;
  readonly reader: EntryReader<T>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The list is at least as new as this resource version. Empty for a consistent read of the newest state. */
  readonly version: string;
  /**
   * Objects per page. @default 500; unpaged if a version is requested, because the server then reads from its watch
   * cache
   */
  readonly pageSize?: number | undefined;
  /** Called when bytes have arrived, with the number of objects received so far. */
  readonly onReceived: (objects: number) => void;
}

/** A complete list. */
export interface ReadList {
  readonly entries: Entry[];
  /** Objects of the list that could not be decoded. */
  readonly decodeFailures: DecodeFailure[];
  readonly resourceVersion: string;
}

/**
 * Reads a list page by page, all pages at one resource version. If that version expires meanwhile, the list is
 * requested once more, without pages. If that expires too, or the server repeats a `continue` token, it rejects, and
 * the caller backs off.
 */
export async function readList<T extends KubeObject>(options: ReadListOptions<T>): Promise<ReadList> {
  const { version, pageSize: limit = version === "" ? 500 : undefined } = options;
  const from: Query =
    version === "" ? {} : { resourceVersion: version, resourceVersionMatch: "NotOlderThan" };
  const list = new Pages(options);
  options.reader.skipCompression = false; // a list is compressed at any rate of arrival: it is most of the cache
  try {
    return await readPages(list, { ...from, limit }, options);
  } catch (error) {
    if (list.pages === 0 || !isExpired(error)) throw error;
    list.reset();
    return await readPages(list, from, options).catch((second: unknown) => {
      throw list.pages > 0 && isExpired(second) ? expiredTwice(second) : second;
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
  for (let { token } = head; token !== undefined; ) {
    await progress.next({ token, count: list.count, request: collection.listRequest({}) });
    ({ token } = await list.page({ limit, continue: token }));
  }
  return { entries: list.entries, decodeFailures: list.decodeFailures, resourceVersion };
}

/** Returns an error that is not an `isExpired` one, because the reflector would list again at once. */
function expiredTwice(cause: Error): Error {
  return new Error(
    `expected the next page of a list, got an expired continue token twice: ${cause.message}`,
    { cause },
  );
}

/** Collects the objects of all pages. */
class Pages<T extends KubeObject> implements BodyConsumer {
  entries: Entry[] = [];
  decodeFailures: DecodeFailure[] = [];
  readonly maxSilenceMs: number = maxSilenceMs;
  readonly full: boolean = false;
  /** Number of pages read. */
  pages = 0;
  /** Number of objects in the last page. */
  count = 0;
  readonly #options: ReadListOptions<T>;
  #list: ListReader | undefined;

  constructor(options: ReadListOptions<T>) {
    this.#options = options;
  }

  async page(query: Query): Promise<PageHead> {
    const { collection, transport, clock, signal } = this.#options;
    const request = collection.listRequest(query);
    const before = this.entries.length + this.decodeFailures.length;
    const list = new ListReader({ request, onItem: (bytes, start) => this.#item(bytes, start) });
    this.#list = list;
    await consumeBody({ transport, clock, signal, request }, this);
    const { resourceVersion, continue: token } = list.end();
    if (!resourceVersion) throw notAListError(request, "one without a resourceVersion");
    this.pages += 1;
    this.count = this.entries.length + this.decodeFailures.length - before;
    return { resourceVersion, token: token || undefined };
  }

  reset(): void {
    this.entries = [];
    this.decodeFailures = [];
    this.pages = 0;
  }

  onOpen(): void {}

  onEnd(): void {}

  consume(bytes: Buffer): void {
    this.#list?.push(bytes);
    this.#options.onReceived(this.entries.length + this.decodeFailures.length);
  }

  whenReady(run: () => void): void {
    run();
  }

  #item(bytes: Buffer, start: number): number {
    const { end, entry } = this.#options.reader.item(bytes, start);
    return entry ? this.#add(entry, end) : end;
  }

  #add(entry: Entry | DecodeFailure, end: number): number {
    if ("error" in entry) this.decodeFailures.push(entry);
    else this.entries.push(entry);
    return end;
  }
}

interface PageHead {
  readonly resourceVersion: string;
  /** Token of the next page, if there is one. */
  readonly token: string | undefined;
}
