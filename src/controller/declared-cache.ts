import {
  type AnyKind,
  controllerOf,
  type DeepReadonly,
  type KubeObject,
  kindName,
  metadataOnly,
  type ObjectKey,
  type Owner,
  type PartialObject,
  type Status,
} from "../api/index.ts";
import { BoundedMap } from "../base/index.ts";
import type { Informer, Iteration, Lister, Overlay, Pending, Selection, View } from "../cache/index.ts";
import { type Deletion, deletionOf } from "../client/index.ts";
import type { Cache } from "./cache.ts";
import { CacheNotSyncedError } from "./cache-not-synced-error.ts";
import { MergedLister, mergedIteration, newestOf } from "./merged-lister.ts";

/**
 * The kinds that the controllers of one manager have declared, read from their informers with own writes over them.
 *
 * A read is answered by the synced view that has all objects it may be about. If no view has them all, it is answered by
 * all synced views together. A view that has not synced, or does not show an own write yet, is left to the server.
 */
export class DeclaredCache implements Cache {
  /** The views of each declared kind, at least one. Wider views come first. */
  readonly #informers = new Map<string, readonly Informer<KubeObject>[]>();
  readonly #listers = new Map<string, Lister<KubeObject>>();
  /** Called when a view of the kind has synced. */
  readonly #onSynced = new Map<string, (() => void)[]>();
  /** Resource versions made by own writes. */
  readonly #own = new BoundedMap<true>(mostOwn);

  /**
   * Adds a view of a kind.
   *
   * @param owned whether objects are likely to be looked up by their owner. Others are found so too, from the first time
   *   that they are: an index costs time with every event.
   */
  declare(informer: Informer<KubeObject>, { owned }: { readonly owned: boolean }): void {
    const name = kindName(informer.kind);
    if (owned) informer.index(ownedIndex, controllerUid);
    const all = [...(this.#informers.get(name) ?? []), informer];
    this.#informers.set(
      name,
      all.sort((one, other) => width(other) - width(one)),
    );
    informer.synced.then(
      () => this.#hasSynced(name),
      () => {}, // it was closed before
    );
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

  of<T extends KubeObject>(kind: AnyKind<T>, namespace?: string): Lister<T> {
    this.#views(kind, namespace);
    const name = kindName(kind);
    const lister = this.#listers.get(name) ?? new MergedLister((within) => this.#synced(kind, within));
    this.#listers.set(name, lister);
    return lister as unknown as Lister<T>; // found by the kind's name
  }

  owned<T extends KubeObject>(kind: AnyKind<T>, owner: Pick<Owner, "metadata">): DeepReadonly<T>[] {
    for (const informer of this.#views(kind)) informer.index(ownedIndex, controllerUid); // has no effect the second time
    return this.of(kind).viewsBy(ownedIndex, owner.metadata.uid);
  }

  /** Whether a view of the kind has the namespace, or any. */
  has(kind: AnyKind, namespace?: string): boolean {
    return this.#watching(kind, namespace).length > 0;
  }

  /** The object, `undefined` if there is none, or `askServer` if only the server knows. */
  get<T extends KubeObject>(kind: AnyKind<T>, key: ObjectKey): T | undefined | typeof askServer {
    const views = this.#watching(kind, key.namespace);
    const complete = views.find((view) => view.hasSynced && isComplete(view, key.namespace));
    if (complete) return complete.overlay.isBehind(key) ? askServer : overlayOf<T>(complete).get(key);
    const synced = views.filter(({ hasSynced }) => hasSynced);
    if (synced.some(({ overlay }) => overlay.isBehind(key))) return askServer;
    const newest = newestOf(overlaysOf<T>(synced).map((overlay) => overlay.get(key)));
    return newest ?? (synced.length < views.length ? askServer : undefined);
  }

  /** What synced views have, and the views that the server has to be asked for. `undefined` if no view has the namespace. */
  list<T extends KubeObject>(kind: AnyKind<T>, selection: Selection): Listed<T> | undefined {
    const views = this.#watching(kind, selection.namespace);
    if (views.length === 0) return undefined;
    const isCurrent = (view: Informer<KubeObject>): boolean =>
      view.hasSynced && !view.overlay.isBehindIn(selection.namespace);
    const complete = views.filter((view) => isComplete(view, selection.namespace));
    const current = complete.find(isCurrent);
    if (current) return { cached: overlayOf<T>(current).iterate(selection), unknown: [] };
    const unknown = complete.length > 0 ? complete.slice(0, 1) : views.filter((view) => !isCurrent(view));
    const known = complete.length > 0 ? [] : overlaysOf<T>(views.filter(isCurrent));
    const cached = [...new Set(known)].map((overlay) => overlay.iterate(selection));
    return {
      cached: cached.length > 0 ? mergedIteration(cached) : undefined,
      unknown: unknown.map(({ view }) => view as View<KubeObject>),
    };
  }

  /** The newest version in any view, without parsing more than is looked at. */
  glance<T extends KubeObject>(kind: AnyKind<T>, key: ObjectKey): DeepReadonly<T> | undefined {
    let newest: DeepReadonly<T> | undefined;
    for (const overlay of this.#overlays(kind)) newest = newestOf([newest, overlay.glance(key)]);
    return newest;
  }

  /** To be called before a write of an object of the kind is sent. */
  sending(kind: AnyKind): Sent {
    const sent = new Map<Overlay<KubeObject>, number>();
    for (const form of formsOf(kind)) {
      for (const { overlay } of this.#informers.get(kindName(form)) ?? none)
        sent.set(overlay, overlay.rewinds);
    }
    return sent;
  }

  /** Takes the object that the server returned for a write. */
  wrote<T extends KubeObject>(kind: AnyKind<T>, object: T, { own = true, bytes, sent }: Wrote = {}): void {
    for (const overlay of this.#overlays(kind)) {
      overlay.wrote(object, { bytes, rewinds: rewindsAt(sent, overlay) });
    }
    if (!kind.metadataOnly) this.#wroteMetadata(kind, object, sent);
    if (own) this.#own.add(object.metadata.resourceVersion, true);
  }

  /** Notes an own write of an object whose response does not show it. */
  changed(kind: AnyKind, { key, pending, wholeOnly = false, sent }: Changed): void {
    const [whole, metadata] = formsOf(kind);
    const note = (overlay: Overlay<KubeObject>): void =>
      overlay.changed(key, pending, { rewinds: rewindsAt(sent, overlay) });
    for (const overlay of this.#overlays(whole)) note(overlay);
    if (wholeOnly) return;
    for (const overlay of this.#overlays(metadata)) note(overlay);
    if ("resourceVersion" in pending) this.#own.add(pending.resourceVersion, true);
  }

  /**
   * To be called before a DELETE is sent, because its response may be about what is known then.
   *
   * @returns what to call with the body of the response, or with nothing if the server has no such object
   */
  deleting(kind: AnyKind, key: ObjectKey): (body: Buffer | undefined) => void {
    const sent = this.sending(kind);
    const [whole] = formsOf(kind);
    const before = Array.from(sent.keys(), (overlay) => ({
      overlay,
      uid: overlay.glance(key)?.metadata.uid,
    }));
    return (body) => {
      const deletion = body && deletionOf(whole, JSON.parse(body.toString()) as KubeObject | Status);
      if (deletion?.type === "stays") this.wrote(whole, deletion.object, { sent });
      else for (const known of before) takeDeletion(key, known, { deletion, sent });
    };
  }

  /**
   * Takes the response to a delete of many: the objects as they were listed before they were deleted. Those that have
   * finalizers stay, and so may Pods: the watch shows them as terminating.
   */
  deletedAll(kind: AnyKind, body: Buffer, sent: Sent): void {
    const { items = [] } = JSON.parse(body.toString()) as { readonly items?: readonly KubeObject[] };
    for (const { metadata } of items) {
      const { uid } = metadata;
      const isVisible = (newest: DeepReadonly<KubeObject> | undefined): boolean =>
        newest === undefined ||
        newest.metadata.uid !== uid ||
        newest.metadata.deletionTimestamp !== undefined;
      this.changed(kind, { key: metadata, pending: { isVisible }, sent });
    }
  }

  /** Number of own writes that no watch has delivered yet. */
  get unconfirmed(): number {
    const informers = [...this.#informers.values()].flat();
    return informers.reduce((sum, { overlay }) => sum + overlay.size, 0);
  }

  /** Whether an own write made this version: no two writes make the same. */
  readonly isOwn: (resourceVersion: string) => boolean = (resourceVersion) => this.#own.has(resourceVersion);

  /** Writes send whole objects, also of kinds whose metadata alone is cached. */
  #wroteMetadata(kind: AnyKind, object: KubeObject, sent: Sent | undefined): void {
    const overlays = this.#overlays(metadataOnly(kind));
    const { metadata } = object;
    if (overlays.size === 0) return;
    const partial: PartialObject = { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata", metadata };
    for (const overlay of overlays) overlay.wrote(partial, { rewinds: rewindsAt(sent, overlay) });
  }

  /** Of all views, also of those that do not answer now. */
  #overlays<T extends KubeObject>(kind: AnyKind<T>): ReadonlySet<Overlay<T>> {
    return new Set(overlaysOf<T>(this.#informers.get(kindName(kind)) ?? []));
  }

  /** What synchronous reads are answered by. */
  #synced(kind: AnyKind, namespace: string | undefined): readonly Overlay<KubeObject>[] {
    const views = this.#views(kind, namespace);
    const complete = views.find((view) => view.hasSynced && isComplete(view, namespace));
    if (complete) return [complete.overlay];
    const synced = views.filter(({ hasSynced }) => hasSynced);
    if (synced.length === 0) throw new CacheNotSyncedError(kind);
    return [...new Set(overlaysOf<KubeObject>(synced))];
  }

  /** The views that have the namespace. Throws if there are none. */
  #views(kind: AnyKind, namespace?: string): readonly Informer<KubeObject>[] {
    const all = this.#informers.get(kindName(kind)) ?? [];
    const views = this.#watching(kind, namespace);
    if (views.length > 0) return views;
    const namespaces = all.flatMap(({ view }) => view.namespaces ?? []);
    if (namespaces.length > 0) {
      throw new TypeError(
        `expected a namespace that is watched for ${kindName(kind)} (${namespaces.join(", ")}), got ${namespace}; ` +
          "name it in `namespaces`, or read it with the client",
      );
    }
    const known = [...this.#informers.keys()].join(", ") || "none";
    throw new TypeError(
      `expected a kind that a controller watches (${known}), got ${kindName(kind)}; ` +
        "name it in `for`, `owns` or `watches`, or read it with the client",
    );
  }

  #watching(kind: AnyKind, namespace: string | undefined): readonly Informer<KubeObject>[] {
    const all = this.#informers.get(kindName(kind)) ?? none;
    return all.every((each) => isWatched(namespace, each))
      ? all
      : all.filter((each) => isWatched(namespace, each));
  }
}

/** What `get` returns for an object that only the server knows of. */
export const askServer: unique symbol = Symbol("ask the server");

export interface Listed<T extends KubeObject> {
  /** What caches have, if there are any that can be read. */
  readonly cached: Iteration<T> | undefined;
  /** Views that have to be listed at the server, and merged. */
  readonly unknown: readonly View<KubeObject>[];
}

/** The views of a kind when a write was sent, each with how often it had gone back in time. */
export type Sent = ReadonlyMap<Overlay<KubeObject>, number>;

function rewindsAt<T extends KubeObject>(sent: Sent | undefined, overlay: Overlay<T>): number | undefined {
  const key = overlay as unknown as Overlay<KubeObject>; // as `overlayOf`, the other way round
  return sent && (sent.get(key) ?? 0); // 0: the view was added since
}

/** What is known of a write beside the object. */
interface Wrote {
  /** Whether an own write made this version. @default true */
  readonly own?: boolean | undefined;
  /** That the response was parsed from, if they are at hand. */
  readonly bytes?: Buffer | undefined;
  /** What `sending` returned before the request. @default no view has gone back since */
  readonly sent?: Sent | undefined;
}

/** An own write that is to be noted. */
export interface Changed {
  readonly key: ObjectKey;
  readonly pending: Pending<KubeObject>;
  /** Whether views of metadata show it already, or never will. @default false */
  readonly wholeOnly?: boolean | undefined;
  /** What `sending` returned before the request. */
  readonly sent: Sent;
}

/** A kind as whole objects, and as their metadata. Copies no kind of whole objects: `kindName` remembers names by object. */
function formsOf(kind: AnyKind): readonly [whole: AnyKind, metadata: AnyKind] {
  return [kind.metadataOnly ? { ...kind, metadataOnly: undefined } : kind, metadataOnly(kind)];
}

/** What a view had of an object before a request about it was sent. */
interface Known {
  readonly overlay: Overlay<KubeObject>;
  readonly uid: string | undefined;
}

interface Taken {
  /** `undefined` if the server had no such object. */
  readonly deletion: Exclude<Deletion<KubeObject>, { readonly type: "stays" }> | undefined;
  readonly sent: Sent;
}

/** Tells a view that the object is gone, and so is the one that it knew, if that was another. */
function takeDeletion(key: ObjectKey, { overlay, uid: was }: Known, { deletion, sent }: Taken): void {
  const rewinds = sent.get(overlay);
  const removed = deletion?.type === "removed" ? deletion.object.metadata : undefined;
  const uid = deletion?.type === "status" ? deletion.uid : removed?.uid;
  if (was !== undefined && was !== uid) overlay.deleted(key, { uid: was }, { rewinds });
  if (uid !== undefined) overlay.deleted(key, { uid, uncertain: !removed }, { rewinds });
}

function overlayOf<T extends KubeObject>({ overlay }: Informer<KubeObject>): Overlay<T> {
  return overlay as unknown as Overlay<T>; // found by the kind's name
}

function overlaysOf<T extends KubeObject>(informers: readonly Informer<KubeObject>[]): Overlay<T>[] {
  return informers.map((informer) => overlayOf<T>(informer));
}

/** How much of its kind a view has, to compare two. */
function width({ view: { namespaces = [], labels, fields, transform } }: Informer<KubeObject>): number {
  return (namespaces.length > 0 ? 0 : 4) + (labels || fields ? 0 : 2) + (transform ? 0 : 1);
}

/** Whether a view leaves out objects of its namespaces. */
function isSelected({ view: { labels, fields } }: Informer<KubeObject>): boolean {
  return labels !== undefined || fields !== undefined;
}

/** Whether a view has all objects of the namespace, or of all namespaces. */
function isComplete(informer: Informer<KubeObject>, namespace: string | undefined): boolean {
  return !isSelected(informer) && (namespace !== undefined || !informer.view.namespaces?.length);
}

/** Cluster-scoped kinds are watched as a whole. */
function isWatched(
  namespace: string | undefined,
  { view: { namespaces = [] } }: Informer<KubeObject>,
): boolean {
  return namespaces.length === 0 || namespace === undefined || namespaces.includes(namespace);
}

const none: readonly never[] = [];
/** Echoes come within seconds: older ones are forgotten. */
const mostOwn = 10_000;
const ownedIndex = "controller";

function controllerUid(object: KubeObject): string[] {
  const uid = controllerOf(object)?.uid;
  return uid === undefined ? [] : [uid];
}
