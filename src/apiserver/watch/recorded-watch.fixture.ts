import type { TestWatch } from "../requests.fixture.ts";
import {
  collectionOf,
  type RecordedWrite,
  type WatchedKind,
  type WatchedObject,
  type WatchedWorld,
} from "./watched-world.fixture.ts";

/** The objects that a watch selects. */
export interface Scope {
  readonly kind: WatchedKind;
  /** @default all namespaces */
  readonly namespace?: string | undefined;
  readonly selector: keyof typeof selectors;
}

interface Selector {
  readonly query: string;
  matches(object: WatchedObject): boolean;
}

export const selectors = {
  all: { query: "", matches: () => true },
  red: { query: "labelSelector=colour%3Dred", matches: (object) => colourOf(object) === "red" },
  notRed: { query: "labelSelector=colour%21%3Dred", matches: (object) => colourOf(object) !== "red" },
  running: {
    query: "fieldSelector=status.phase%3DRunning",
    matches: ({ status }) => status?.phase === "Running",
  },
  first: { query: "fieldSelector=metadata.name%3Da", matches: ({ metadata }) => metadata.name === "a" },
} satisfies Record<string, Selector>;

function colourOf({ metadata }: WatchedObject): string | undefined {
  return metadata.labels?.colour;
}

export interface WatchEvent {
  readonly type: string;
  readonly object: WatchedObject & { readonly code?: number };
}

/** One watch connection: its start and its events. */
export interface Recorded {
  readonly scope: Scope;
  readonly bookmarks: boolean;
  /** True if it starts with the stored objects instead of at a revision. */
  readonly initial: boolean;
  /** The watch sends changes after this revision; with `initial`, the objects at this revision come first. */
  readonly after: number;
  /** The oldest `after` that had not expired when the watch started. */
  readonly compacted: number;
  readonly events: readonly WatchEvent[];
  /** True if the watch had sent everything and was neither ended nor closed. */
  readonly complete: boolean;
}

export interface WatchStart {
  readonly scope: Scope;
  readonly bookmarks: boolean;
  /** A revision, or `initial` to start with the stored objects. */
  readonly from: number | "initial";
}

/** A watch whose events are recorded. */
export class RecordedWatch {
  readonly #world: WatchedWorld;
  readonly #watch: TestWatch;
  readonly #record: Omit<Recorded, "events" | "complete">;
  readonly #events: WatchEvent[] = [];
  #closed = false;

  static async open(world: WatchedWorld, start: WatchStart): Promise<RecordedWatch> {
    const { scope, bookmarks, from } = start;
    const initial = from === "initial";
    const record = {
      scope,
      bookmarks,
      initial,
      after: initial ? world.revision : from,
      compacted: world.compacted(scope.kind),
    };
    return new RecordedWatch(world, await world.test.watch(requestOf(start)), record);
  }

  private constructor(world: WatchedWorld, watch: TestWatch, record: Omit<Recorded, "events" | "complete">) {
    this.#world = world;
    this.#watch = watch;
    this.#record = record;
  }

  pause(): void {
    this.#watch.pause();
  }

  resume(): void {
    this.#watch.resume();
  }

  /**
   * Closes the watch and opens it again at its last revision, or with the stored objects if the initial events were
   * incomplete.
   */
  async reconnect(): Promise<RecordedWatch> {
    await this.#readEvents();
    this.#closed = true;
    this.#watch.leave();
    const { scope, bookmarks, initial } = this.#record;
    const initialDone = !initial || this.#events.some(endsInitial);
    const from = initialDone ? this.#lastRevision() : "initial";
    return RecordedWatch.open(this.#world, { scope, bookmarks, from });
  }

  async recorded(): Promise<Recorded> {
    await this.#readEvents();
    return { ...this.#record, events: this.#events, complete: !this.#closed && !this.#watch.ended };
  }

  async #readEvents(): Promise<void> {
    this.#events.push(...((await this.#watch.events()) as WatchEvent[]));
  }

  #lastRevision(): number {
    const { after, initial } = this.#record;
    const changes = initial ? this.#events.slice(this.#events.findIndex(endsInitial)) : this.#events;
    const last = changes.filter(({ type }) => type !== "ERROR").at(-1);
    return last ? revisionOf(last) : after;
  }
}

function requestOf({ scope, bookmarks, from }: WatchStart): string {
  const start =
    from === "initial"
      ? "sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
      : `resourceVersion=${from}`;
  const query = [
    "watch=1&timeoutSeconds=100000",
    start,
    ...(bookmarks ? ["allowWatchBookmarks=true"] : []),
    selectors[scope.selector].query,
  ];
  return `${collectionOf(scope.kind, scope.namespace)}?${query.filter((part) => part !== "").join("&")}`;
}

export function revisionOf({ object }: WatchEvent): number {
  return Number(object.metadata.resourceVersion);
}

export function endsInitial({ type, object }: WatchEvent): boolean {
  return type === "BOOKMARK" && object.metadata.annotations?.["k8s.io/initial-events-end"] === "true";
}

/** Returns the events of a history that a watch has to send, in order. */
export function expectedOf(history: readonly RecordedWrite[], { scope, after }: Recorded): WatchEvent[] {
  return history
    .filter(({ kind, revision }) => kind === scope.kind && revision > after)
    .flatMap((write) => eventsOf(write, scope));
}

function eventsOf({ before, after, revision }: RecordedWrite, scope: Scope): WatchEvent[] {
  const was = before !== undefined && inScope(before, scope);
  if (after && inScope(after, scope)) return [{ type: was ? "MODIFIED" : "ADDED", object: after }];
  if (!was) return [];
  const metadata = { ...before.metadata, resourceVersion: String(revision) };
  return [{ type: "DELETED", object: { ...before, metadata } }];
}

/** Returns the objects at a revision, in the order of their keys. */
export function existingAt(
  history: readonly RecordedWrite[],
  { scope, after: revision }: Recorded,
): WatchedObject[] {
  const now = new Map<string, WatchedObject>();
  for (const write of history) {
    if (write.kind !== scope.kind || write.revision > revision) continue;
    const { namespace = "", name } = (write.after ?? write.before)?.metadata ?? { name: "" };
    if (write.after) now.set(`${namespace}/${name}`, write.after);
    else now.delete(`${namespace}/${name}`);
  }
  const objects = [...now].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, object]) => object);
  return objects.filter((object) => inScope(object, scope));
}

function inScope(object: WatchedObject, { namespace, selector }: Scope): boolean {
  if (namespace !== undefined && object.metadata.namespace !== namespace) return false;
  return selectors[selector].matches(object);
}
