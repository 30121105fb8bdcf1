import { type AnyKind, type Frozen, type KubeObject, metadataOnly, type ObjectKey } from "../api/index.ts";
import { type Informer, matcherOf, type Overlay } from "../cache/index.ts";
import { newestOf } from "./merged-lister.ts";

export type Labelled = Pick<Partial<KubeObject["metadata"]>, "namespace" | "labels">;

type CachedView = Pick<Informer<KubeObject>, "view">;

/** Returns a number that is higher for views with more of their kind. */
export function width({ view: { namespaces = [], labels, fields, transform } }: CachedView): number {
  return (namespaces.length > 0 ? 0 : 4) + (labels || fields ? 0 : 2) + (transform ? 0 : 1);
}

/** Returns true if a view has only some objects of its namespaces. */
function isSelected({ view: { labels, fields } }: CachedView): boolean {
  return labels !== undefined || fields !== undefined;
}

/** Returns true if a view has all objects of the namespace, or of all namespaces if none is given. */
export function isComplete(cached: CachedView, namespace: string | undefined): boolean {
  return !isSelected(cached) && (namespace !== undefined || !cached.view.namespaces?.length);
}

/** Returns true if a view may have objects of the namespace. Cluster-scoped kinds are watched as a whole. */
export function isWatched(namespace: string | undefined, { view: { namespaces = [] } }: CachedView): boolean {
  return namespaces.length === 0 || namespace === undefined || namespaces.includes(namespace);
}

/** Returns true if the label selector of a view matches an object. */
export function isSelecting({ view: { labels } }: CachedView, metadata: Labelled): boolean {
  return matcherOf(labels)?.matches(metadata.labels) ?? true;
}

export function overlayOf<T extends KubeObject>({ overlay }: Informer<KubeObject>): Overlay<T> {
  return overlay as unknown as Overlay<T>; // informers are stored by kind name
}

export function overlaysOf<T extends KubeObject>(informers: readonly Informer<KubeObject>[]): Overlay<T>[] {
  return informers.map((informer) => overlayOf<T>(informer));
}

/** A cached object. */
export interface WholeObject<T extends KubeObject> {
  /** Parses only the fields that are read. */
  readonly view: Frozen<T>;
  /** Returns the object as a copy. */
  readonly copy: () => T | undefined;
}

/** Returns the newest version of an object in the synced views that keep objects as the server sent them. */
export function newestWhole<T extends KubeObject>(
  views: readonly Informer<KubeObject>[],
  key: ObjectKey,
): WholeObject<T> | undefined {
  const whole = views.filter(({ hasSynced, view }) => hasSynced && !view.transform);
  let newest: WholeObject<T> | undefined;
  for (const overlay of overlaysOf<T>(whole)) {
    const view = overlay.lazyView(key);
    if (view && newestOf([newest?.view, view]) === view) newest = { view, copy: () => overlay.get(key) };
  }
  return newest;
}

/**
 * Returns a kind as whole objects and as metadata only. Does not copy a kind of whole objects: `kindName` caches names
 * by object.
 */
export function formsOf(kind: AnyKind): readonly [whole: AnyKind, metadata: AnyKind] {
  return [kind.metadataOnly ? { ...kind, metadataOnly: undefined } : kind, metadataOnly(kind)];
}
