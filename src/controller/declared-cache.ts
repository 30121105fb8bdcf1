import {
  type AnyKind,
  compareResourceVersions,
  controllerOf,
  type DeepReadonly,
  type KubeObject,
  kindName,
  metadataOnly,
  type ObjectKey,
  type Owner,
  type PartialObject,
} from "../api/index.ts";
import { Recent } from "../base/index.ts";
import type { Informer, Lister, Overlay, Selection } from "../cache/index.ts";
import type { Cache } from "./cache.ts";

/**
 * What the controllers of one manager have declared that they watch, with their own writes over it: who reads after a
 * write sees it, also before the watch has told of it.
 */
export class DeclaredCache implements Cache {
  /** Of each kind that is declared, at least one: those that have more of it before others. */
  readonly #informers = new Map<string, readonly Informer<KubeObject>[]>();
  /** Those whose first list is there. */
  readonly #filled = new WeakSet<Informer<KubeObject>>();
  /** Versions that writes of ours made. */
  readonly #own = new Recent<true>(mostOwn);

  /**
   * Reads of its kind are answered by this informer when it is filled, unless and as long as there is one that has more of
   * the kind, or as much and was there earlier.
   *
   * @param owned whether they are likely to be looked for by their owners. What is not is found so as well, from the first
   *   time on that somebody does: an index is work with every event.
   */
  declare(informer: Informer<KubeObject>, { owned }: { readonly owned: boolean }): void {
    const name = kindName(informer.kind);
    if (owned) informer.index(ownedIndex, controllerUid);
    const all = [...(this.#informers.get(name) ?? []), informer];
    this.#informers.set(
      name,
      all.sort((one, other) => width(other) - width(one)),
    );
    const filled = (): void => void this.#filled.add(informer);
    informer.synced.then(filled, () => {}); // whoever runs the controller is told
  }

  /** Reads are not answered by this informer any more. */
  release(informer: Informer<KubeObject>): void {
    const name = kindName(informer.kind);
    const others = this.#informers.get(name)?.filter((each) => each !== informer) ?? [];
    if (others.length > 0) this.#informers.set(name, others);
    else this.#informers.delete(name);
  }

  of<T extends KubeObject>(kind: AnyKind<T>, namespace?: string): Lister<T> {
    const lister = this.find(kind, namespace);
    if (lister) return lister;
    const { namespaces } = this.#informers.get(kindName(kind))?.[0]?.view ?? {};
    if (namespaces) {
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

  owned<T extends KubeObject>(kind: AnyKind<T>, owner: Pick<Owner, "metadata">): DeepReadonly<T>[] {
    const lister = this.of(kind);
    this.#informer(kind)?.index(ownedIndex, controllerUid); // nothing happens where there is that index
    return lister.viewsBy(ownedIndex, owner.metadata.uid);
  }

  /** `undefined` where nobody watches the kind, or not in this namespace. */
  find<T extends KubeObject>(kind: AnyKind<T>, namespace?: string): Overlay<T> | undefined {
    const informer = this.#informer(kind, namespace);
    return informer && this.#overlayOf<T>(informer);
  }

  /**
   * By whoever has all there is, and where nobody does, the newest that any has: what one view leaves out may be all that
   * another is for.
   */
  get<T extends KubeObject>(kind: AnyKind<T>, key: ObjectKey): T | undefined {
    const best = this.#informer(kind, key.namespace);
    if (best && !isSelected(best)) return this.#overlayOf<T>(best).get(key);
    let newest: T | undefined;
    for (const overlay of this.#overlays(kind)) {
      const found = overlay.get(key);
      if (found && (!newest || isNewer(found, newest))) newest = found;
    }
    return newest;
  }

  /** As it is known to who watches it, whole or by its metadata. */
  known(kind: AnyKind, key: ObjectKey): DeepReadonly<KubeObject> | undefined {
    const [whole, metadata] = formsOf(kind).map((form) => this.find(form)?.view(key));
    return whole ?? metadata;
  }

  /** The same of all that are selected. */
  allKnown(kind: AnyKind, selection: Selection): DeepReadonly<KubeObject>[] {
    return formsOf(kind).flatMap((form) => this.find(form, selection.namespace)?.views(selection) ?? []);
  }

  /** A write of ours was answered with this. Unless `own`, somebody else made this version. @default own */
  wrote<T extends KubeObject>(kind: AnyKind<T>, object: T, { own, bytes }: Wrote = { own: true }): void {
    for (const overlay of this.#overlays(kind)) overlay.wrote(object, bytes);
    if (!kind.metadataOnly) this.#wroteMetadata(kind, object.metadata);
    if (own) this.#own.add(object.metadata.resourceVersion, true);
  }

  /** This one is gone by our doing, in whatever version we knew it. */
  deleted(kind: AnyKind, object: DeepReadonly<KubeObject>): void {
    for (const form of formsOf(kind))
      for (const overlay of this.#overlays(form)) overlay.deleted(object as KubeObject); // it is only looked at
  }

  /** How many objects are not yet told to anyone as our writes have made them. */
  get unconfirmed(): number {
    const informers = [...this.#informers.values()].flat();
    return informers.reduce((sum, { overlay }) => sum + overlay.size, 0);
  }

  /** Whether a write of ours made this version: no two writes make the same. */
  readonly isOwn: (resourceVersion: string) => boolean = (resourceVersion) => this.#own.has(resourceVersion);

  /** Whole objects are what is written, also where their metadata alone is watched. */
  #wroteMetadata(kind: AnyKind, metadata: KubeObject["metadata"]): void {
    const partial: PartialObject = { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata", metadata };
    for (const overlay of this.#overlays(metadataOnly(kind))) overlay.wrote(partial);
  }

  /** Of all who watch the kind: who answers reads next has to know of it too. */
  #overlays<T extends KubeObject>(kind: AnyKind<T>): Iterable<Overlay<T>> {
    const informers = this.#informers.get(kindName(kind)) ?? [];
    return new Set(informers.map((informer) => this.#overlayOf<T>(informer)));
  }

  #overlayOf<T extends KubeObject>({ overlay }: Informer<KubeObject>): Overlay<T> {
    return overlay as unknown as Overlay<T>; // found by the kind's name
  }

  /** The one that has most of the kind, where the namespace is watched: of those that are filled, if any is. */
  #informer(kind: AnyKind, namespace?: string): Informer<KubeObject> | undefined {
    const all = this.#informers.get(kindName(kind)) ?? [];
    const watched = all.find((each) => isWatched(namespace, each) && this.#filled.has(each));
    return watched ?? all.find((each) => isWatched(namespace, each));
  }
}

/** What is known of a write beside its answer. */
interface Wrote {
  readonly own: boolean;
  /** That the answer was parsed from, where they are at hand. */
  readonly bytes?: Buffer | undefined;
}

/** A kind as whole objects, and as their metadata. */
function formsOf(kind: AnyKind): readonly [whole: AnyKind, metadata: AnyKind] {
  return [{ ...kind, metadataOnly: undefined }, metadataOnly(kind)];
}

/** How much of its kind an informer has, for comparing two. */
function width({ view: { namespaces = [], labels, fields, transform } }: Informer<KubeObject>): number {
  return (namespaces.length > 0 ? 0 : 4) + (labels || fields ? 0 : 2) + (transform ? 0 : 1);
}

/** Whether it leaves out objects of the namespaces that it has. */
function isSelected({ view: { labels, fields } }: Informer<KubeObject>): boolean {
  return labels !== undefined || fields !== undefined;
}

function isNewer({ metadata: one }: KubeObject, { metadata: other }: KubeObject): boolean {
  return compareResourceVersions(one.resourceVersion, other.resourceVersion) > 0;
}

/** Kinds without namespaces are watched as a whole. */
function isWatched(
  namespace: string | undefined,
  { view: { namespaces = [] } }: Informer<KubeObject>,
): boolean {
  return namespaces.length === 0 || namespace === undefined || namespaces.includes(namespace);
}

/** Echoes come within seconds: older ones are forgotten. */
const mostOwn = 10_000;
const ownedIndex = "controller";

function controllerUid(object: KubeObject): string[] {
  const uid = controllerOf(object)?.uid;
  return uid === undefined ? [] : [uid];
}
