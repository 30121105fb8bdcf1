import type { KubeObject } from "../api/index.ts";
import { Backoff, between, type Clock, type Rng, realClock, realRng, sleep } from "../base/index.ts";
import { ApiError, type ApiRequest, ConnectionError, isTooManyRequests } from "../transport/index.ts";
import { acceptFor } from "./collection.ts";
import { type Listing, listPages } from "./list-pages.ts";
import type { WatchEvent, WatchOptions } from "./options.ts";
import { listQuery } from "./query.ts";
import { withQuery } from "./resource-path.ts";
import { changeOf } from "./watch-event.ts";
import { watchOnce } from "./watch-once.ts";

export interface Watching<T extends KubeObject> extends Listing<T> {
  readonly options: WatchOptions;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
}

/** Bookmarks come about once a minute: longer silence is a dead connection. */
const silenceMs = 75_000;

/**
 * Events over any number of connections, each from where the one before ended.
 *
 * A first connection that fails is the caller's to know. After that, whatever can pass by itself is tried again, with
 * backoff; what cannot (`Expired`, `Forbidden`, a kind that is gone) is thrown.
 */
export async function* watch<T extends KubeObject>(
  watching: Watching<T>,
): AsyncGenerator<WatchEvent<T>, void, void> {
  const { options, clock = realClock, rng = realRng } = watching;
  const { signal, managedFields = false } = options;
  const backoff = new Backoff({ ...patience, clock, rng });
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
      if (!established || !passing(error)) throw error;
      cause = error;
    }
    options.onReconnect?.(cause);
    await sleep(Math.max(backoff.next(), askedMs(cause)), { clock, signal });
  }
}

const patience = { initialMs: 1000, maxMs: 30_000, jitter: 0.5, resetAfterMs: 60_000 };

/**
 * The version to watch from, or `undefined` where a list has to come first. From `"0"` the server would begin with
 * what it has, in no order of versions: a connection lost within that could not be taken up again.
 */
function startOf({ resourceVersion }: WatchOptions): string | undefined {
  return resourceVersion === "0" || resourceVersion === "" ? undefined : resourceVersion;
}

/** What is there now, and the version to go on from. */
async function* existing<T extends KubeObject>(
  listing: Listing<T>,
): AsyncGenerator<WatchEvent<T>, string, void> {
  let last = "";
  for await (const { items, resourceVersion } of listPages(listing)) {
    for (const object of items) yield changeOf("added", object);
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
    // between 5 and 10 minutes, so that watches that began together do not end together
    timeoutSeconds: Math.floor(between(rng, 300, 600)),
  };
  return {
    method: "GET",
    path: withQuery(path, query),
    headers: { accept: acceptFor(kind) },
    signal: options.signal,
  };
}

/** Whether waiting may help. */
function passing(error: unknown): error is Error {
  if (error instanceof ApiError) return error.code >= 500 || isTooManyRequests(error);
  return error instanceof ConnectionError;
}

/** How long the server asks to wait. */
function askedMs(cause: Error | undefined): number {
  return cause instanceof ApiError ? (cause.retryAfterMs ?? 0) : 0;
}
