import {
  type AnyKind,
  controllerOf,
  type Frozen,
  type KubeObject,
  kindName,
  metadataOnly,
  type ObjectKey,
  type Owner,
  type PartialObject,
  type Status,
} from "../api/index.ts";
import { BoundedMap } from "../base/index.ts";
import type {
  EventHandler,
  Informer,
  Iteration,
  Lister,
  Overlay,
  Pending,
  Selection,
  Subscription,
  View,
} from "../cache/index.ts";
import { deletionOf } from "../client/index.ts";
import type { Cache, CacheReader } from "./cache.ts";
import { type CacheHandlerOptions, CacheHandlers, type HandlerInformers } from "./cache-handlers.ts";
import {
  formsOf,
  isComplete,
  isSelecting,
  isWatched,
  type Labelled,
  newestWhole,
  overlayOf,
  overlaysOf,
  type WholeObject,
  width,
} from "./cached-view.ts";
import { DeclaredIndexes } from "./declared-indexes.ts";
import { CacheNotSyncedError } from "./errors.ts";
import { MergedLister, mergedIteration, newestOf } from "./merged-lister.ts";
import { notCached } from "./not-cached.ts";
import { type Index, type IndexLookup, type IndexValue, indexText } from "./object-index.ts";
import { recordDeletion } from "./record-deletion.ts";

/**
 * Reads the kinds that the controllers of one manager have declared, from their informers with read-your-writes
 * overlays.
 *
 * A read uses the synced view that has all objects in question. If no view has them all, it uses all synced views
 * together. For a view that has not synced, or that does not contain an own write yet, the client reads from the
 * server.
 */
export class DeclaredCache implements Cache {
  /** The views of each declared kind, at least one. Wider views come first. */
  readonly #informers = new Map<string, readonly Informer<KubeObject>[]>();
  readonly #listers = new Map<string, Lister<KubeObject>>();
  readonly #indexes = new DeclaredIndexes();
  readonly handlers: CacheHandlers = new CacheHandlers();
  /** Callbacks for the next view that syncs, by kind. */
  readonly #onSynced = new Map<string, (() => void)[]>();
  /** Resource versions created by own writes. */
  readonly #own = new BoundedMap<true>(maxOwnWrites);

  /**
   * Adds a view of a kind.
   *
   * @param owned True if objects are likely to be looked up by owner: creates the index now. Otherwise the first lookup
   * creates it, because an index takes time for every event.
   */
  declare(informer: Informer<KubeObject>, { owned }: { readonly owned: boolean }): void {
    const name = kindName(informer.kind);
    if (owned) informer.index(ownedIndex, controllerUid);
    this.#indexes.addTo(informer);
    const all = [...(this.#informers.get(name) ?? []), informer];
    this.#informers.set(
      name,
      all.sort((one, other) => width(other) - width(one)),
    );
    informer.synced.then(
      () => this.#hasSynced(name),
      () => {}, // the informer was closed before it synced
    );
  }

  /** Adds an index to all views of its kind. Has no effect the second time. */
  declareIndex(index: Index<KubeObject>): void {
    this.#indexes.declare(index, this.#informers.get(kindName(index.kind)) ?? none);
  }

  /** Calls `run` once, when the next view of the kind has synced. */
  onSynced(kind: AnyKind, run: () => void): void {
    const name = kindName(kind);
    this.#onSynced.set(name, [...(this.#onSynced.get(name) ?? []), run]);
  }

  #hasSynced(name: string): void {
    const all = this.#onSynced.get(name) ?? [];
    this.#onSynced.delete(name);
    for (const run of all) run();
  }

  release(informer: Informer<KubeObject>): void {
    const name = kindName(informer.kind);
    const others = this.#informers.get(name)?.filter((each) => each !== informer) ?? [];
    if (others.length > 0) this.#informers.set(name, others);
    else this.#informers.delete(name);
  }

  of<T extends KubeObject>(kind: AnyKind<T>, namespace?: string): CacheReader<T> {
    this.#views(kind, namespace);
    return this.#lister(kind);
  }

  #lister<T extends KubeObject>(kind: AnyKind<T>): Lister<T> {
    const name = kindName(kind);
    const lister = this.#listers.get(name) ?? new MergedLister((within) => this.#synced(kind, within));
    this.#listers.set(name, lister);
    return lister as unknown as Lister<T>; // listers are stored by kind name
  }

  owned<T extends KubeObject>(kind: AnyKind<T>, owner: Pick<Owner, "metadata">): Frozen<T>[] {
    for (const informer of this.#views(kind)) informer.index(ownedIndex, controllerUid); // has no effect the second time
    return this.#lister(kind).viewsBy(ownedIndex, owner.metadata.uid);
  }

  by<T extends KubeObject, V extends IndexValue>(
    index: Index<T, V>,
    value: IndexLookup<NoInfer<V>>,
  ): Frozen<T>[] {
    const name = this.#indexes.nameOf(index as unknown as Index<KubeObject>); // indexes are stored by identity
    this.#views(index.kind);
    return this.#lister(index.kind).viewsBy(name, indexText(value));
  }

  on<T extends KubeObject>(
    kind: AnyKind<T>,
    handler: EventHandler<T>,
    options: CacheHandlerOptions<T> = {},
  ): Subscription {
    return this.handlers.add(kind, handler, options);
  }

  /**
   * Opens informers for the event handlers.
   * @param open Returns a handle of a started informer
   */
  connect(open: HandlerInformers["open"]): void {
    this.handlers.connect({
      open,
      opened: (informer) => this.declare(informer, { owned: false }),
      closed: (informer) => this.release(informer),
    });
  }

  /** Returns true if a view of the kind contains the namespace, or any namespace if none is given. */
  has(kind: AnyKind, namespace?: string): boolean {
    return this.#watching(kind, namespace).length > 0;
  }

  /** Returns true if a view of the kind selects the namespace and the labels of an object. */
  selects(kind: AnyKind, metadata: Labelled): boolean {
    return this.#watching(kind, metadata.namespace).some((view) => isSelecting(view, metadata));
  }

  /** Returns the object, `undefined` if it does not exist, or `readFromServer` if the cache cannot decide that. */
  get<T extends KubeObject>(kind: AnyKind<T>, key: ObjectKey): T | undefined | typeof readFromServer {
    const views = this.#watching(kind, key.namespace);
    const complete = views.find((view) => view.hasSynced && isComplete(view, key.namespace));
    if (complete) return complete.overlay.isBehind(key) ? readFromServer : overlayOf<T>(complete).get(key);
    const synced = views.filter(({ hasSynced }) => hasSynced);
    if (synced.some(({ overlay }) => overlay.isBehind(key))) return readFromServer;
    const newest = newestOf(overlaysOf<T>(synced).map((overlay) => overlay.get(key)));
    return newest ?? (synced.length < views.length ? readFromServer : undefined);
  }

  /**
   * Returns the objects of synced views, and the views to list from the server. `undefined` if no view has the
   * namespace.
   */
  list<T extends KubeObject>(kind: AnyKind<T>, selection: Selection): Listed<T> | undefined {
    const views = this.#watching(kind, selection.namespace);
    if (views.length === 0) return undefined;
    const isCurrent = (view: Informer<KubeObject>): boolean =>
      view.hasSynced && !view.overlay.isBehindIn(selection.namespace);
    const complete = views.filter((view) => isComplete(view, selection.namespace));
    const current = complete.find(isCurrent);
    if (current) return { cached: overlayOf<T>(current).iterate(selection), uncached: [] };
    const uncached = complete.length > 0 ? complete.slice(0, 1) : views.filter((view) => !isCurrent(view));
    const overlays = complete.length > 0 ? [] : overlaysOf<T>(views.filter(isCurrent));
    const cached = [...new Set(overlays)].map((overlay) => overlay.iterate(selection));
    return {
      cached: cached.length > 0 ? mergedIteration(cached) : undefined,
      uncached: uncached.map(({ view }) => view as View<KubeObject>),
    };
  }

  /** Returns the newest version in any view. Parses only the fields that are read. */
  lazyView<T extends KubeObject>(kind: AnyKind<T>, key: ObjectKey): Frozen<T> | undefined {
    let newest: Frozen<T> | undefined;
    for (const overlay of this.#overlays(kind)) newest = newestOf([newest, overlay.lazyView(key)]);
    return newest;
  }

  /**
   * Returns the newest version of an object that a synced view keeps as the server sent it. `undefined` if a view does
   * not contain an own write yet.
   */
  wholeObject<T extends KubeObject>(kind: AnyKind<T>, key: ObjectKey): WholeObject<T> | undefined {
    const views = this.#watching(kind, key.namespace);
    if (kind.metadataOnly || views.some(({ overlay }) => overlay.isBehind(key))) return undefined;
    return newestWhole<T>(views, key);
  }

  /**
   * Returns the number of rollbacks of every overlay of the kind. Call it before a write is sent, and pass the result
   * to `recordWrite` or `recordPending`, which ignore responses from before a rollback.
   */
  rollbackCounts(kind: AnyKind): RollbackCounts {
    const rollbacks = new Map<Overlay<KubeObject>, number>();
    for (const form of formsOf(kind)) {
      for (const { overlay } of this.#informers.get(kindName(form)) ?? none)
        rollbacks.set(overlay, overlay.rollbacks);
    }
    return rollbacks;
  }

  /** Records the object in the response to a write. */
  recordWrite<T extends KubeObject>(
    kind: AnyKind<T>,
    object: T,
    { own = true, bytes, rollbacks }: WriteDetails = {},
  ): void {
    for (const overlay of this.#overlays(kind)) {
      overlay.recordWrite(object, { bytes, rollbacks: rollbacksAt(rollbacks, overlay) });
    }
    if (!kind.metadataOnly) this.#recordMetadata(kind, object, rollbacks);
    if (own) this.#own.add(object.metadata.resourceVersion, true);
  }

  /** Records an own write whose response does not contain the object. */
  recordPending(kind: AnyKind, { key, pending, wholeOnly = false, rollbacks }: PendingWrite): void {
    const [whole, metadata] = formsOf(kind);
    const record = (overlay: Overlay<KubeObject>): void =>
      overlay.recordPending(key, pending, { rollbacks: rollbacksAt(rollbacks, overlay) });
    for (const overlay of this.#overlays(whole)) record(overlay);
    if (wholeOnly) return;
    for (const overlay of this.#overlays(metadata)) record(overlay);
    if ("resourceVersion" in pending) this.#own.add(pending.resourceVersion, true);
  }

  /**
   * Prepares a delete. Call it before the DELETE is sent, because the response may concern the object that is cached
   * then.
   *
   * @returns a callback for the body of the response, or for `undefined` if the object does not exist
   */
  prepareDelete(kind: AnyKind, key: ObjectKey): (body: Buffer | undefined) => void {
    const rollbacks = this.rollbackCounts(kind);
    const [whole] = formsOf(kind);
    const before = Array.from(rollbacks.keys(), (overlay) => ({
      overlay,
      uid: overlay.lazyView(key)?.metadata.uid,
    }));
    return (body) => {
      const deletion = body && deletionOf(whole, JSON.parse(body.toString()) as KubeObject | Status);
      if (deletion?.type === "stays") this.recordWrite(whole, deletion.object, { rollbacks });
      else for (const cached of before) recordDeletion(key, cached, { deletion, rollbacks });
    };
  }

  /**
   * Records the response to a delete of a collection: the objects as they were before the delete. Objects with
   * finalizers stay, and so may Pods, until the watch delivers them as terminating.
   */
  recordDeleteAll(kind: AnyKind, body: Buffer, rollbacks: RollbackCounts): void {
    const { items = [] } = JSON.parse(body.toString()) as { readonly items?: readonly KubeObject[] };
    for (const { metadata } of items) {
      const { uid } = metadata;
      const isVisible = (newest: Frozen<KubeObject> | undefined): boolean =>
        newest === undefined ||
        newest.metadata.uid !== uid ||
        newest.metadata.deletionTimestamp !== undefined;
      this.recordPending(kind, { key: metadata, pending: { isVisible }, rollbacks });
    }
  }

  /** Number of own writes that no watch has delivered yet. */
  get unconfirmed(): number {
    const informers = [...this.#informers.values()].flat();
    return informers.reduce((sum, { overlay }) => sum + overlay.size, 0);
  }

  /** Returns true if an own write created this resource version. No two writes create the same one. */
  readonly isOwn: (resourceVersion: string) => boolean = (resourceVersion) => this.#own.has(resourceVersion);

  /**
   * Records the metadata of a written object, because a kind may be cached as metadata only while writes send whole
   * objects.
   */
  #recordMetadata(kind: AnyKind, object: KubeObject, rollbacks: RollbackCounts | undefined): void {
    const overlays = this.#overlays(metadataOnly(kind));
    const { metadata } = object;
    if (overlays.size === 0) return;
    const partial: PartialObject = { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata", metadata };
    for (const overlay of overlays)
      overlay.recordWrite(partial, { rollbacks: rollbacksAt(rollbacks, overlay) });
  }

  /** Returns the overlays of all views, including those that have not synced. */
  #overlays<T extends KubeObject>(kind: AnyKind<T>): ReadonlySet<Overlay<T>> {
    return new Set(overlaysOf<T>(this.#informers.get(kindName(kind)) ?? []));
  }

  /** Returns the overlays for a synchronous read. Throws if no view has synced. */
  #synced(kind: AnyKind, namespace: string | undefined): readonly Overlay<KubeObject>[] {
    const views = this.#views(kind, namespace);
    const complete = views.find((view) => view.hasSynced && isComplete(view, namespace));
    if (complete) return [complete.overlay];
    const synced = views.filter(({ hasSynced }) => hasSynced);
    if (synced.length === 0) throw new CacheNotSyncedError(kind);
    return [...new Set(overlaysOf<KubeObject>(synced))];
  }

  /** Returns the views that have the namespace. Throws if no view has it. */
  #views(kind: AnyKind, namespace?: string): readonly Informer<KubeObject>[] {
    const all = this.#informers.get(kindName(kind)) ?? [];
    const views = this.#watching(kind, namespace);
    if (views.length > 0) return views;
    throw notCached(kind, {
      namespace,
      namespaces: all.flatMap(({ view }) => view.namespaces ?? []),
      watched: [...this.#informers.keys()],
    });
  }

  #watching(kind: AnyKind, namespace: string | undefined): readonly Informer<KubeObject>[] {
    const all = this.#informers.get(kindName(kind)) ?? none;
    return all.every((each) => isWatched(namespace, each))
      ? all
      : all.filter((each) => isWatched(namespace, each));
  }
}

/** Returned by `get` if the cache cannot decide whether the object exists, or does not contain an own write yet. */
export const readFromServer: unique symbol = Symbol("read from the server");

export interface Listed<T extends KubeObject> {
  /** Objects of the views that are current, if any is. */
  readonly cached: Iteration<T> | undefined;
  /** Views to list from the server and to merge with `cached`. */
  readonly uncached: readonly View<KubeObject>[];
}

/** The overlays of a kind when a write was sent, each with its number of rollbacks at that time. */
export type RollbackCounts = ReadonlyMap<Overlay<KubeObject>, number>;

function rollbacksAt<T extends KubeObject>(
  counts: RollbackCounts | undefined,
  overlay: Overlay<T>,
): number | undefined {
  const key = overlay as unknown as Overlay<KubeObject>; // the inverse of `overlayOf`
  return counts && (counts.get(key) ?? 0); // 0: the view was added since
}

/** Details of a write besides its object. */
interface WriteDetails {
  /** True if an own write created this resource version. @default true */
  readonly own?: boolean | undefined;
  /** The body of the response, if it is available. */
  readonly bytes?: Buffer | undefined;
  /** The result of `rollbackCounts` before the request. @default the current counts */
  readonly rollbacks?: RollbackCounts | undefined;
}

/** An own write whose response does not contain the object. */
export interface PendingWrite {
  readonly key: ObjectKey;
  readonly pending: Pending<KubeObject>;
  /** True if metadata-only views contain the write already, or never will. @default false */
  readonly wholeOnly?: boolean | undefined;
  /** The result of `rollbackCounts` before the request. */
  readonly rollbacks: RollbackCounts;
}

const none: readonly never[] = [];
/** Number of own resource versions that are kept. Echoes arrive within seconds. */
const maxOwnWrites = 10_000;
const ownedIndex = "controller";

function controllerUid(object: KubeObject): string[] {
  const uid = controllerOf(object)?.uid;
  return uid === undefined ? [] : [uid];
}
