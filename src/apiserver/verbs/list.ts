import type { ListMeta } from "../../api/index.ts";
import { TimeSlice } from "../../base/index.ts";
import { convertVersions } from "../codec/converted-versions.ts";
import { CompactedError, type StoredEntry } from "../storage/storage.ts";
import { storageKey } from "../storage/storage-key.ts";
import { badRequest, expired } from "../types/status-error.ts";
import { type Selection, selectionOf } from "../watch/selection.ts";
import { type Continuation, readToken, writeToken } from "./continue-token.ts";
import type { Call, Engine } from "./engine.ts";
import { type ListOptions, listOptions, listRevision } from "./list-options.ts";
import { awaitRevision } from "./resource-version.ts";
import type { ListResult } from "./verb-result.ts";

/** Handles GET of a collection. */
export async function list(engine: Engine, call: Call): Promise<ListResult> {
  const { query } = call.request;
  const options = listOptions(query, { watch: false });
  const selection = selectionOf(call.resource, query);
  const start = startOf(options);
  if (options.continue === "") await awaitRevision(engine, call.request, listRevision(options));
  const page = await pageOf(engine, call, { selection, start, limit: limitOf(options) });
  return { type: "list", metadata: metadataOf(call, page), items: page.items };
}

/** The position at which a list starts: its revision, `undefined` for the newest, and the key to start after. */
interface Start {
  readonly revision: number | undefined;
  readonly continuation?: Continuation | undefined;
}

function startOf(options: ListOptions): Start {
  const revision = listRevision(options);
  if (options.continue === "") {
    const exact = options.match === "Exact" || (options.match === "" && options.limit > 0 && revision !== 0);
    return { revision: exact ? revision : undefined };
  }
  const continuation = readToken(options.continue);
  if (revision !== undefined && revision !== 0) {
    throw badRequest("specifying resource version is not allowed when using continue");
  }
  return { revision: continuation.revision < 0 ? undefined : continuation.revision, continuation };
}

/** Returns the limit of a page. A list at any version is not paged, because kube-apiserver returns its whole cache. */
function limitOf({ limit, resourceVersion, match }: ListOptions): number {
  const cached = resourceVersion === "0" && match === "";
  return limit === 0 || cached ? Number.POSITIVE_INFINITY : limit;
}

export interface PageOptions {
  readonly selection: Selection;
  readonly start: Start;
  readonly limit: number;
}

export interface Page {
  readonly items: readonly StoredEntry[];
  readonly revision: number;
  /** The last visited key if there are more. */
  readonly last?: string | undefined;
  /** The number of remaining objects. Unknown if there is a selector. */
  readonly remaining?: number | undefined;
}

/**
 * Returns the next page of the selected objects. It is read at one revision; other work runs while objects are matched.
 */
export async function pageOf(engine: Engine, call: Call, options: PageOptions): Promise<Page> {
  try {
    return options.selection.name === undefined
      ? await collect(engine, call, options)
      : await single(engine, call, options);
  } catch (error) {
    if (error instanceof CompactedError) throw tooOld(options.start);
    throw error;
  }
}

export function prefixOf({ resource, namespace }: Pick<Call, "resource" | "namespace">): string {
  return namespace === undefined ? resource.storagePrefix : `${resource.storagePrefix}${namespace}/`;
}

async function collect(
  { storage, clock }: Engine,
  call: Call,
  { selection, start, limit }: PageOptions,
): Promise<Page> {
  const prefix = prefixOf(call);
  const revision = start.revision ?? storage.revision;
  const { items: all, remaining: rest } = storage.list(prefix, {
    revision: start.revision,
    after: start.continuation && prefix + start.continuation.after,
    // The number of objects that a selector visits is unknown.
    ...(selection.everything && Number.isFinite(limit) && { limit }),
  });
  // Selectors see objects in the version of the request.
  if (!selection.everything) await convertVersions(call.resource, all);
  const slice = new TimeSlice(clock);
  const items: StoredEntry[] = [];
  for (const [index, stored] of all.entries()) {
    if (slice.over) await slice.pause();
    if (selection.matches(stored)) items.push(stored);
    const left = all.length - index - 1 + rest;
    if (items.length < limit || left === 0) continue;
    return { items, revision, last: stored.key.slice(prefix.length), ...remainingOf(selection, left) };
  }
  return { items, revision };
}

/** Returns the number of remaining objects, which is unknown with a selector. */
function remainingOf({ everything }: Selection, left: number): Pick<Page, "remaining"> {
  return everything ? { remaining: left } : {};
}

/** Returns the page of a field selector for one name, with one lookup if the namespace is known. */
async function single(engine: Engine, call: Call, options: PageOptions): Promise<Page> {
  const { resource, namespace } = call;
  const isNamespaceKnown = !resource.namespaced || namespace !== undefined;
  if (!isNamespaceKnown || options.start.revision !== undefined) return collect(engine, call, options);
  const stored = engine.storage.get(storageKey(resource, { namespace, name: options.selection.name ?? "" }));
  if (stored) await convertVersions(resource, [stored]);
  const items = stored && options.selection.matches(stored) ? [stored] : [];
  return { items, revision: engine.storage.revision };
}

function tooOld({ continuation }: Start): Error {
  if (!continuation) return expired("The resourceVersion for the provided list is too old.");
  const token = writeToken({ revision: -1, after: continuation.after });
  return expired(continueExpired, token);
}

const continueExpired =
  "The provided continue parameter is too old to display a consistent list result. You can start a new list without " +
  "the continue parameter, or use the continue token in this response to retrieve the remainder of the results. " +
  "Continuing with the provided token results in an inconsistent list - objects that were created, modified, or " +
  "deleted between the time the first chunk was returned and now may show up in the list.";

export function metadataOf({ resource }: Call, { revision, last, remaining }: Page): ListMeta {
  const token = last === undefined ? undefined : writeToken({ revision, after: last });
  return {
    ...(resource.custom && token === undefined && { continue: "" }),
    resourceVersion: String(revision),
    ...(token !== undefined && { continue: token }),
    ...(token !== undefined && remaining !== undefined && { remainingItemCount: remaining }),
  };
}
