import type { KubeObject } from "../api/index.ts";
import { Backoff, between, type Clock, type Rng, realClock, realRng, sleep } from "../base/index.ts";
import { ApiError, type ApiRequest, ConnectionError, isTooManyRequests } from "../transport/index.ts";
import { acceptFor } from "./collection.ts";
import { type Listing, listPages } from "./list-pages.ts";
import type { WatchEvent, WatchOptions } from "./options.ts";
import { listQuery } from "./query.ts";
import { withQuery } from "./resource-path.ts";
import { watchEventOf } from "./watch-event.ts";
import { watchOnce } from "./watch-once.ts";

export interface Watching<T extends KubeObject> extends Listing<T> {
  readonly options: WatchOptions;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
}

/** Bookmarks arrive about once per minute, so a longer silence means a broken connection. */
const silenceMs = 75_000;

/**
 * Watches over any number of connections, each of which resumes where the previous one ended.
 *
 * A failure of the first connection is thrown. Afterwards transient errors are retried with backoff, and permanent
 * errors (`Expired`, `Forbidden`, a removed kind) are thrown.
 */
export async function* watch<T extends KubeObject>(
  watching: Watching<T>,
): AsyncGenerator<WatchEvent<T>, void, void> {
  const { options, clock = realClock, rng = realRng } = watching;
  const { signal, managedFields = false } = options;
  const backoff = new Backoff({ ...backoffOptions, clock, rng });
  let resourceVersion = startOf(options) ?? (yield* existing(watching));
  for (let established = false; ; ) {
    let cause: Error | undefined;
    try {
      const request = watchRequest(watching, resourceVersion, rng);
      const events = await watchOnce<T>(watching.transport, request, { clock, silenceMs, managedFields });
      established = true;
      for await (const event of events) {
        signal?.throwIfAborted();
        resourceVersion = event.resourceVersion;
        yield event;
      }
    } catch (error) {
      if (!established || !isTransient(error)) throw error;
      cause = error;
    }
    options.onReconnect?.(cause);
    await sleep(Math.max(backoff.next(), retryAfterMs(cause)), { clock, signal });
  }
}

const backoffOptions = { initialMs: 1000, maxMs: 30_000, jitter: 0.5, resetAfterMs: 60_000 };

/**
 * Returns the resource version to watch from, or `undefined` if a list is needed first. From `"0"` the server would
 * send the existing objects in no order of versions, so a connection lost in between could not be resumed.
 */
function startOf({ resourceVersion }: WatchOptions): string | undefined {
  return resourceVersion === "0" || resourceVersion === "" ? undefined : resourceVersion;
}

/** Lists the existing objects as `added` events. @returns the resource version to watch from */
async function* existing<T extends KubeObject>(
  listing: Listing<T>,
): AsyncGenerator<WatchEvent<T>, string, void> {
  let last = "";
  for await (const { items, resourceVersion } of listPages(listing)) {
    for (const object of items) yield watchEventOf("added", object);
    last = resourceVersion;
  }
  return last;
}

function watchRequest<T extends KubeObject>(
  watching: Watching<T>,
  resourceVersion: string,
  rng: Rng,
): ApiRequest {
  const { kind, path, options } = watching;
  const query = {
    ...listQuery(options),
    watch: true,
    allowWatchBookmarks: true,
    resourceVersion,
    // between 5 and 10 minutes, so that watches that started together do not end together
    timeoutSeconds: Math.floor(between(rng, 300, 600)),
  };
  return {
    method: "GET",
    path: withQuery(path, query),
    headers: { accept: acceptFor(kind) },
    signal: options.signal,
  };
}

/** Returns true if a retry may succeed. */
function isTransient(error: unknown): error is Error {
  if (error instanceof ApiError) return error.code >= 500 || isTooManyRequests(error);
  return error instanceof ConnectionError;
}

/** Returns the delay that the server requests. */
function retryAfterMs(cause: Error | undefined): number {
  return cause instanceof ApiError ? (cause.retryAfterMs ?? 0) : 0;
}
