import { type AnyKind, type KubeObject, kindName } from "../api/index.ts";
import { checkNamespaces, type View } from "../cache/index.ts";

/**
 * Selects the objects that the caches of a manager's own cluster keep, and how they keep them. The `view` of a
 * controller or trigger takes precedence. Reads return only the objects that the caches keep.
 */
export interface CacheOptions extends Omit<CachedView<KubeObject>, "namespaces"> {
  /** Options of single kinds, made by `cached`. They replace those of all kinds. @default none */
  readonly kinds?: readonly CachedKind[] | undefined;
}

/** Selects the objects of a kind that a manager caches, and how it caches them. */
export interface CachedView<T extends KubeObject> extends View<T> {
  /**
   * Caches only the metadata. Predicates and mappers then receive only the metadata, `cache.of(metadataOnly(Secret))`
   * reads it, and `client.get(Secret, key)` reads whole objects from the server. @default false
   */
  readonly metadataOnly?: boolean | undefined;
}

/** The cache options of one kind. Made by `cached`. */
export interface CachedKind {
  readonly kind: AnyKind;
  readonly view: CachedView<KubeObject>;
}

/**
 * Describes what a manager caches of a kind. It does not watch the kind: controllers and `cache.on` do. An empty
 * selector, or an empty list of namespaces, selects everything.
 *
 * ```ts
 * manager({
 *   controllers,
 *   cache: { kinds: [cached(Secret, { labels: { app: "web" } }), cached(Event, { metadataOnly: true })] },
 * });
 * ```
 */
export function cached<T extends KubeObject>(kind: AnyKind<T>, view: CachedView<T>): CachedKind {
  checkNamespaces(view.namespaces, `namespaces of cached(${kind.kind})`);
  if (view.metadataOnly && view.transform) {
    throw new TypeError(
      `expected cached(${kind.kind}) to have either metadataOnly or a transform of whole objects, got both; ` +
        `pass the transform to cached(metadataOnly(${kind.kind}), …)`,
    );
  }
  return { kind: kind as AnyKind, view: view as unknown as CachedView<KubeObject> }; // it is only used for objects of its kind
}

/** Returns the views by the names of their kinds. Throws if a kind is given twice. */
export function viewsByKind(kinds: readonly CachedKind[]): ReadonlyMap<string, CachedView<KubeObject>> {
  const views = new Map<string, CachedView<KubeObject>>();
  for (const { kind, view } of kinds) {
    const name = kindName(kind);
    if (views.has(name))
      throw new TypeError(`expected one entry for each kind of cache.kinds, got two of ${name}`);
    views.set(name, view);
  }
  return views;
}
