import {
  type AnyKind,
  controllerOf,
  type DeepReadonly,
  type KubeObject,
  kindName,
  type Owner,
} from "../api/index.ts";
import type { Informer, Lister, Overlay } from "../cache/index.ts";
import type { Cache } from "./cache.ts";

/**
 * What the controllers of one manager have declared that they watch, with their own writes over it: who reads after a
 * write sees it, also before the watch has told of it.
 */
export class DeclaredCache implements Cache {
  /** Of each kind that is declared, at least one. */
  readonly #informers = new Map<string, Informer<KubeObject>[]>();
  /** Versions that writes of ours made, the oldest first. */
  readonly #own = new Set<string>();

  /**
   * Reads of its kind are answered by this informer, unless and as long as there is an earlier one.
   *
   * @param owned whether they are likely to be looked for by their owners. What is not is found so as well, from the first
   *   time on that somebody does: an index is work with every event.
   */
  declare(informer: Informer<KubeObject>, { owned }: { readonly owned: boolean }): void {
    const name = kindName(informer.kind);
    if (owned) informer.index(ownedIndex, controllerUid);
    this.#informers.set(name, [...(this.#informers.get(name) ?? []), informer]);
  }

  /** Reads are not answered by this informer any more. */
  release(informer: Informer<KubeObject>): void {
    const name = kindName(informer.kind);
    const others = this.#informers.get(name)?.filter((each) => each !== informer) ?? [];
    if (others.length > 0) this.#informers.set(name, others);
    else this.#informers.delete(name);
  }

  of<T extends KubeObject>(kind: AnyKind<T>): Lister<T> {
    const lister = this.find(kind);
    if (lister) return lister;
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

  find<T extends KubeObject>(kind: AnyKind<T>): Lister<T> | undefined {
    return this.#overlay(kind);
  }

  /** A write of ours was answered with this. */
  wrote<T extends KubeObject>(kind: AnyKind<T>, object: T): void {
    this.#overlay(kind)?.wrote(object);
    this.#own.add(object.metadata.resourceVersion);
    for (const oldest of this.#own) {
      if (this.#own.size <= mostOwn) break;
      this.#own.delete(oldest);
    }
  }

  /** This one is gone by our doing, in whatever version we knew it. */
  deleted<T extends KubeObject>(kind: AnyKind<T>, object: DeepReadonly<T>): void {
    this.#overlay(kind)?.deleted(object as T); // it is only looked at
  }

  /** Whether a write of ours made this version: no two writes make the same. */
  readonly isOwn: (resourceVersion: string) => boolean = (resourceVersion) => this.#own.has(resourceVersion);

  #overlay<T extends KubeObject>(kind: AnyKind<T>): Overlay<T> | undefined {
    return this.#informer(kind)?.overlay as Overlay<T> | undefined; // the name says the kind
  }

  #informer(kind: AnyKind): Informer<KubeObject> | undefined {
    return this.#informers.get(kindName(kind))?.[0];
  }
}

/** Echoes come within seconds: older ones are forgotten. */
const mostOwn = 10_000;
const ownedIndex = "controller";

function controllerUid(object: KubeObject): string[] {
  const uid = controllerOf(object)?.uid;
  return uid === undefined ? [] : [uid];
}
