import { between } from "../../base/index.ts";
import type { Sink } from "../types/exchange.ts";
import { expired, noSuchResource, StatusError, unknownError } from "../types/status-error.ts";
import { type Selection, selectionOf } from "../watch/selection.ts";
import { type Encoder, errorFrame, plainEncoder, transformingEncoder } from "../watch/watch-frames.ts";
import { Watcher, type WatcherOptions } from "../watch/watcher.ts";
import { callTransformer } from "./call-transformer.ts";
import type { Call, Engine } from "./engine.ts";
import { pageOf, prefixOf } from "./list.ts";
import { type ListOptions, listOptions } from "./list-options.ts";
import { awaitRevision, parseVersion } from "./resource-version.ts";
import type { StreamResult } from "./verb-result.ts";

/** Handles GET of a collection with `watch`: streams events until the timeout. */
export async function watch(engine: Engine, call: Call): Promise<StreamResult> {
  const { query } = call.request;
  const options = listOptions(query, { watch: true });
  const selection = selectionOf(call.resource, query, call.name);
  const revision = parseVersion(options.resourceVersion, unknownError);
  try {
    return stream(engine, call, await watcherOptions(engine, call, { options, selection, revision }));
  } catch (error) {
    if (error instanceof StatusError && duringStream.has(error.reason)) return failed(error);
    throw error;
  }
}

/** Errors that are found after the response has started. They are sent as events. */
const duringStream: ReadonlySet<string> = new Set(["Expired", "Timeout"]);

interface WatchRequest {
  readonly options: ListOptions;
  readonly selection: Selection;
  readonly revision: number | undefined;
}

async function watcherOptions(
  engine: Engine,
  call: Call,
  { options, selection, revision }: WatchRequest,
): Promise<WatcherOptions> {
  const fromNow = revision === undefined || revision === 0;
  const initialEvents = options.sendInitialEvents ?? fromNow;
  if (initialEvents) await awaitRevision(engine, call.request, revision);
  const page = initialEvents
    ? await pageOf(engine, call, {
        selection,
        start: { revision: undefined },
        limit: Number.POSITIVE_INFINITY,
      })
    : { items: [], revision: fromNow ? engine.storage.revision : revision };
  checkNotExpired(engine, call, page.revision);
  return {
    encoder: encoderOf(engine, call),
    prefix: prefixOf(call),
    selection,
    initial: page.items,
    after: page.revision,
    bookmarks: options.allowWatchBookmarks,
    initialEventsEnd: initialEvents && options.allowWatchBookmarks,
    timeoutMs: timeoutOf(engine, options),
    signal: call.request.signal,
  };
}

function encoderOf(engine: Engine, call: Call): Encoder {
  const { resource, format, request } = call;
  if (!format.as) return plainEncoder(resource);
  const name = `${format.as.kind} ${format.as.version} ${request.query.get("includeObject") ?? ""}`;
  return transformingEncoder(resource, name, callTransformer(engine, call));
}

function checkNotExpired({ watches }: Engine, { resource }: Call, revision: number): void {
  const compacted = watches.logOf(resource)?.compacted ?? 0;
  if (revision < compacted) throw expired(`too old resource version: ${revision} (${compacted})`);
}

const minTimeoutMs = 30 * 60_000;

/**
 * Returns the requested timeout, or a random one of 30 to 60 minutes, so that clients do not reconnect at the same
 * time.
 */
function timeoutOf({ rng }: Engine, { timeoutSeconds }: ListOptions): number {
  return timeoutSeconds ? Math.max(timeoutSeconds, 0) * 1000 : between(rng, minTimeoutMs, 2 * minTimeoutMs);
}

function stream({ watches, clock }: Engine, { resource }: Call, options: WatcherOptions): StreamResult {
  const log = watches.logOf(resource);
  if (!log) throw noSuchResource();
  if (options.timeoutMs === 0) return { type: "stream", start: (sink) => sink.end() };
  const start = (sink: Sink): void => new Watcher({ hub: watches, clock, log }, sink, options).start();
  return { type: "stream", start };
}

function failed(error: StatusError): StreamResult {
  const start = (sink: Sink): void => {
    sink.write(errorFrame(error));
    sink.end();
  };
  return { type: "stream", start };
}
