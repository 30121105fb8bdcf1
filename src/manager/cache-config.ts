import { type AnyKind, type KubeObject, kindName, metadataOnly } from "../api/index.ts";
import type { Informer, InformerFactory, View } from "../cache/index.ts";
import type { Controller, InformerSource } from "../controller/index.ts";
import { type CachedView, type CacheOptions, viewsByKind } from "./cache-options.ts";

/** A kind in the form in which it is cached, and what is cached of it. */
export interface CachedPart {
  readonly kind: AnyKind;
  readonly view: View<KubeObject>;
}

/** Decides what the caches of a manager keep: its options, and the views of controllers and triggers. */
export class CacheConfig {
  /** Options of all kinds. */
  readonly #defaults: CachedView<KubeObject>;
  readonly #kinds: ReadonlyMap<string, CachedView<KubeObject>>;

  constructor({ kinds = [], ...defaults }: CacheOptions, namespaces: readonly string[] | undefined) {
    this.#defaults = { namespaces, ...defaults };
    this.#kinds = viewsByKind(kinds);
  }

  /** Returns what is cached for a controller or trigger of this kind and view. The view takes precedence. */
  resolve(kind: AnyKind, view: View<KubeObject> = {}): CachedPart {
    const whole: AnyKind = kind.metadataOnly ? { ...kind, metadataOnly: undefined } : kind;
    const { metadataOnly: reduced, ...defaults } = this.#defaults;
    const { metadataOnly: only = reduced, ...ofWhole } = this.#kinds.get(kindName(whole)) ?? {};
    if (!only && !kind.metadataOnly)
      return { kind, view: { ...defaults, ...defined(ofWhole), ...defined(view) } };
    if (!kind.metadataOnly) checkTransform(kind, view);
    const { transform: _, ...selected } = ofWhole; // a transform of whole objects
    const { metadataOnly: __, ...ofMetadata } = this.#kinds.get(kindName(metadataOnly(whole))) ?? {};
    const merged = { ...defaults, ...defined(selected), ...defined(ofMetadata), ...defined(view) };
    return { kind: metadataOnly(whole), view: merged };
  }

  /** Throws if the controller needs whole objects of a kind that is cached as metadata only. */
  check({ name, options }: Controller): void {
    const { for: primary, view, cleanup, indexes = [] } = options;
    if (cleanup) this.#checkWhole(primary, view, `the cleanup of controller ${JSON.stringify(name)}`);
    for (const { kind } of indexes)
      this.#checkWhole(kind, {}, `an index of controller ${JSON.stringify(name)}`);
  }

  #checkWhole(kind: AnyKind, view: View<KubeObject> | undefined, user: string): void {
    if (kind.metadataOnly || !this.resolve(kind, view).kind.metadataOnly) return;
    throw new TypeError(
      `expected whole objects of ${kindName(kind)} for ${user}, got only metadata; ` +
        `add cached(${kind.kind}, { metadataOnly: false }) to \`cache.kinds\` of the manager`,
    );
  }

  /** Returns the informers of a factory, with these options. */
  informers(factory: InformerFactory): InformerSource {
    return {
      for: <T extends KubeObject>(kind: AnyKind<T>, view?: View<T>) => {
        const part = this.resolve(kind as AnyKind, view as View<KubeObject> | undefined);
        return factory.for(part.kind, part.view) as unknown as Informer<T>; // of the same kind, or of its metadata
      },
    };
  }
}

/** A view of whole objects cannot be applied to their metadata. */
function checkTransform(kind: AnyKind, { transform }: View<KubeObject>): void {
  if (!transform) return;
  throw new TypeError(
    `expected no transform in a view of ${kindName(kind)}, because the manager caches only its metadata; ` +
      `watch metadataOnly(${kind.kind})`,
  );
}

/** Leaves out options that are `undefined`, so that they do not replace others. */
function defined(view: View<KubeObject>): View<KubeObject> {
  return Object.fromEntries(Object.entries(view).filter(([, value]) => value !== undefined));
}
