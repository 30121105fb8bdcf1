import type { KubeObject } from "../api/index.ts";
import { type Clock, type Rng, realClock, realRng } from "../base/index.ts";
import {
  ApiError,
  ConnectionError,
  isTooManyRequests,
  WatchBackoff,
  watchQuery,
} from "../transport/index.ts";
import { collectionOf } from "./collection.ts";
import { type Listing, listPages } from "./list-pages.ts";
import type { WatchEvent, WatchOptions } from "./options.ts";
import { WatchConnection } from "./watch-connection.ts";
import { watchEventOf } from "./watch-event.ts";

export interface Watching<T extends KubeObject> extends Listing<T> {
  readonly options: WatchOptions;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
}

/**
 * Watches over any number of connections, each of which resumes where the previous one ended.
 *
 * A failure of the first connection is thrown. Afterwards transient errors are retried with backoff, and permanent
 * errors (`Expired`, `Forbidden`, a removed kind) are thrown.
 */
export async function* watch<T extends KubeObject>(
  watching: Watching<T>,
): AsyncGenerator<WatchEvent<T>, void, void> {
  const { kind, path, transport, options, clock = realClock, rng = realRng } = watching;
  const { signal, managedFields = false } = options;
  const collection = collectionOf(kind, path, options);
  const backoff = new WatchBackoff({ clock, rng });
  let resourceVersion = startOf(options) ?? (yield* existing(watching));
  for (let established = false; ; ) {
    const request = collection.watchRequest(watchQuery(resourceVersion, rng), signal);
    const connection = new WatchConnection<T>(request, { transport, clock, signal, managedFields });
    let cause: Error | undefined;
    try {
      for await (const event of connection.events) {
        signal?.throwIfAborted();
        resourceVersion = event.resourceVersion;
        yield event;
      }
    } catch (error) {
      established ||= connection.established;
      if (!established || !isTransient(error)) throw error;
      cause = error;
    }
    established = true;
    backoff.ended(connection.aliveMs);
    options.onReconnect?.(cause);
    await backoff.wait(cause, signal);
  }
}

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

/** Returns true if a retry may succeed. */
function isTransient(error: unknown): error is Error {
  if (error instanceof ApiError) return error.code >= 500 || isTooManyRequests(error);
  return error instanceof ConnectionError;
}
