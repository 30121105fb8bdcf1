import type { KubeObject } from "../../api/index.ts";
import type { Page, WatchEvent } from "../../client/index.ts";

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
  watch(options: WatcherOptions): AsyncIterable<WatchEvent<T>>;
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

export interface ListedPage<T> extends Pick<Page<T>, "resourceVersion"> {
  readonly items: readonly T[];
  /** Token of the next page. @default this is the last page */
  readonly continue?: string | undefined;
}
