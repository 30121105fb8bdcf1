import type { KubeObject } from "../../api/index.ts";

/**
 * Lists and watches a collection for a reflector, in place of a client: a filter around a client, another source, or a
 * fake.
 *
 * ```ts
 * const listerWatcher: ListerWatcher<Pod> = {
 *   list: async ({ signal }) => ({ items: await allPods(signal), resourceVersion: "7" }),
 *   watch: (options) => client.watch(Pod, options),
 * };
 * ```
 *
 * Errors are those of a client: after an `ApiError` with code 410, the reflector lists again; after any other error of
 * `watch` it backs off first.
 */
export interface ListerWatcher<T extends KubeObject> {
  /** Returns the collection, or a page of it with a token for the next one. */
  list(options: ListerOptions): Promise<ListedPage<T>>;
  /** Yields every change after `resourceVersion`. The reflector watches again when it ends. */
  watch(options: WatcherOptions): AsyncIterable<ListerWatcherEvent<T>>;
}

export interface ListerOptions {
  /** The list has to be at least as new. `undefined` for the newest state. */
  readonly resourceVersion: string | undefined;
  /** Objects per page. The list may be longer. */
  readonly limit: number | undefined;
  /** The token of the last page. `undefined` for the first one. */
  readonly continue: string | undefined;
  readonly signal: AbortSignal;
}

export interface WatcherOptions {
  readonly resourceVersion: string;
  /** Aborts when the reflector needs no more events. */
  readonly signal: AbortSignal;
}

export interface ListedPage<T extends KubeObject> {
  readonly items: readonly T[];
  /** Resource version of the list, the same on all pages. A watch starts from it. */
  readonly resourceVersion: string;
  /** Token of the next page. @default this is the last page */
  readonly continue?: string | undefined;
}

/** An event of a watch. A `WatchEvent` of a client is one. */
export type ListerWatcherEvent<T extends KubeObject> =
  | { readonly type: "added" | "modified" | "deleted"; readonly object: T }
  | { readonly type: "bookmark"; readonly resourceVersion: string };
