import type { TestWatch } from "./requests.fixture.ts";
import {
  collectionOf,
  type Happened,
  type Seen,
  type WatchedKind,
  type WatchedWorld,
} from "./watched-world.fixture.ts";

/** What a watch is to tell of. */
export interface Scope {
  readonly kind: WatchedKind;
  /** @default all namespaces */
  readonly namespace?: string | undefined;
  readonly selector: keyof typeof selectors;
}

interface Selector {
  readonly query: string;
  matches(object: Seen): boolean;
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

function colourOf({ metadata }: Seen): string | undefined {
  return metadata.labels?.colour;
}

export interface Told {
  readonly type: string;
  readonly object: Seen & { readonly code?: number };
}

/** One connection: where it began and what it told. */
export interface Recorded {
  readonly scope: Scope;
  readonly bookmarks: boolean;
  /** Began with what was there, instead of after a revision. */
  readonly initial: boolean;
  /** Only what came after this revision is told; with `initial`, what was there at it comes first. */
  readonly after: number;
  /** What `after` had to be at least when it began, or it has expired. */
  readonly forgotten: number;
  readonly told: readonly Told[];
  /** Nothing was left to tell when the record was made: it was neither cut off nor left. */
  readonly complete: boolean;
}

export interface Beginning {
  readonly scope: Scope;
  readonly bookmarks: boolean;
  /** Begins with what is there. */
  readonly from: number | "initial";
}

/** A watch under way. */
export class RecordedWatch {
  readonly #world: WatchedWorld;
  readonly #watch: TestWatch;
  readonly #record: Omit<Recorded, "told" | "complete">;
  readonly #told: Told[] = [];
  #left = false;

  static async open(world: WatchedWorld, beginning: Beginning): Promise<RecordedWatch> {
    const { scope, bookmarks, from } = beginning;
    const initial = from === "initial";
    const record = {
      scope,
      bookmarks,
      initial,
      after: initial ? world.revision : from,
      forgotten: world.forgotten(scope.kind),
    };
    return new RecordedWatch(world, await world.test.watch(requestOf(beginning)), record);
  }

  private constructor(world: WatchedWorld, watch: TestWatch, record: Omit<Recorded, "told" | "complete">) {
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

  /** Goes away, and comes back where it was. Its initial events have to have come whole for that. */
  async reconnect(): Promise<RecordedWatch> {
    await this.#listen();
    this.#left = true;
    this.#watch.leave();
    const { scope, bookmarks, initial } = this.#record;
    const stands = !initial || this.#told.some(endsInitial);
    const from = stands ? this.#lastRevision() : "initial";
    return RecordedWatch.open(this.#world, { scope, bookmarks, from });
  }

  async recorded(): Promise<Recorded> {
    await this.#listen();
    return { ...this.#record, told: this.#told, complete: !this.#left && !this.#watch.ended };
  }

  async #listen(): Promise<void> {
    this.#told.push(...((await this.#watch.events()) as Told[]));
  }

  #lastRevision(): number {
    const { after, initial } = this.#record;
    const changes = initial ? this.#told.slice(this.#told.findIndex(endsInitial)) : this.#told;
    const last = changes.filter(({ type }) => type !== "ERROR").at(-1);
    return last ? revisionOf(last) : after;
  }
}

function requestOf({ scope, bookmarks, from }: Beginning): string {
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

export function revisionOf({ object }: Told): number {
  return Number(object.metadata.resourceVersion);
}

export function endsInitial({ type, object }: Told): boolean {
  return type === "BOOKMARK" && object.metadata.annotations?.["k8s.io/initial-events-end"] === "true";
}

/** What of a history a watch has to tell, in order: what comes into its scope, changes in it and leaves it. */
export function expectedOf(history: readonly Happened[], { scope, after }: Recorded): Told[] {
  return history
    .filter(({ kind, revision }) => kind === scope.kind && revision > after)
    .flatMap((happened) => toldOf(happened, scope));
}

function toldOf({ before, after, revision }: Happened, scope: Scope): Told[] {
  const was = before !== undefined && inScope(before, scope);
  if (after && inScope(after, scope)) return [{ type: was ? "MODIFIED" : "ADDED", object: after }];
  if (!was) return [];
  const metadata = { ...before.metadata, resourceVersion: String(revision) };
  return [{ type: "DELETED", object: { ...before, metadata } }];
}

/** What was there at a revision, in the order of its keys. */
export function existingAt(history: readonly Happened[], { scope, after: revision }: Recorded): Seen[] {
  const now = new Map<string, Seen>();
  for (const happened of history) {
    if (happened.kind !== scope.kind || happened.revision > revision) continue;
    const { namespace = "", name } = (happened.after ?? happened.before)?.metadata ?? { name: "" };
    if (happened.after) now.set(`${namespace}/${name}`, happened.after);
    else now.delete(`${namespace}/${name}`);
  }
  const there = [...now].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, object]) => object);
  return there.filter((object) => inScope(object, scope));
}

function inScope(object: Seen, { namespace, selector }: Scope): boolean {
  if (namespace !== undefined && object.metadata.namespace !== namespace) return false;
  return selectors[selector].matches(object);
}
