import { expect } from "vitest";
import { entryOf, Thing } from "./objects/objects.fixture.ts";
import { Store } from "./objects/store.ts";
import { Overlay } from "./overlay.ts";
import { isInView, type View } from "./view.ts";

/** One write in the history of the server. */
export interface ServerWrite {
  readonly version: number;
  readonly namespace: string;
  readonly name: string;
  /** `undefined` for a deletion. */
  readonly object: Thing | undefined;
}

export interface Server {
  /** Writes, oldest first. */
  log: ServerWrite[];
  /** Resource version of the last write. */
  version: number;
  /** Number of restores. */
  history: number;
}

/** One view: a store and its applied versions, as an informer has them. */
export class ViewMirror {
  readonly view: View<Thing>;
  readonly store = new Store<Thing>();
  readonly overlay: Overlay<Thing>;
  readonly #single: boolean;
  /** Applied version, and the history of the server it belongs to, by collection. */
  readonly #applied = new Map<string, { readonly version: number; readonly history: number }>();

  constructor(view: View<Thing>, single: boolean) {
    this.view = view;
    this.#single = single;
    const { store } = this;
    this.overlay = new Overlay<Thing>({
      kind: Thing,
      store,
      covers: (object) => isInView(object, view),
      appliedVersion: (namespace) => String(this.applied(namespace).version),
    });
  }

  applied(namespace: string): { readonly version: number; readonly history: number } {
    return this.#applied.get(this.#collection(namespace)) ?? { version: 1, history: 0 };
  }

  /** Returns true if the watch can continue. A restore breaks it. */
  isWatching({ history }: Server, namespace: string): boolean {
    return this.applied(namespace).history === history;
  }

  /** Delivers the next events of a collection. @default all */
  events(server: Server, namespace: string, count: number = server.log.length): void {
    if (!this.isWatching(server, namespace)) return;
    const { version } = this.applied(namespace);
    const next = server.log.filter((write) => write.version > version && this.#isIn(write, namespace));
    for (const write of next.slice(0, count)) {
      this.#put(write);
      this.#setApplied(namespace, { ...server, version: write.version });
    }
  }

  relist(server: Server, namespace: string): void {
    const isRollback = server.version < this.applied(namespace).version;
    const latest = new Map<string, ServerWrite>();
    for (const write of server.log) {
      if (this.#isIn(write, namespace)) latest.set(`${write.namespace}/${write.name}`, write);
    }
    if (isRollback) this.overlay.rollBack(this.#single ? undefined : namespace);
    for (const { namespace: of, name } of [...this.store.entries()]) {
      if (this.#isIn({ namespace: of }, namespace)) this.store.remove(of, name);
    }
    for (const write of latest.values()) this.#put(write);
    this.#setApplied(namespace, server);
    this.overlay.checkpoint(this.#single ? undefined : namespace);
    if (isRollback) expect(this.overlay.list({ namespace })).toEqual(this.store.list({ namespace }));
  }

  bookmark(server: Server, namespace: string): void {
    this.events(server, namespace);
    if (!this.isWatching(server, namespace)) return;
    this.#setApplied(namespace, server);
    this.overlay.checkpoint(this.#single ? undefined : namespace);
  }

  isInView(object: Thing): boolean {
    return this.view.fields !== undefined && "spec.unknown" in Object(this.view.fields)
      ? isRed(object) // the server's meaning of that field
      : isInView(object, this.view) === true;
  }

  #put({ namespace, name, object }: ServerWrite): void {
    if (object && this.isInView(object)) this.store.put(entryOf(object, this.store.slab));
    else this.store.remove(namespace, name);
  }

  #setApplied(namespace: string, { version, history }: Pick<Server, "version" | "history">): void {
    this.#applied.set(this.#collection(namespace), { version, history });
  }

  #isIn(write: Pick<ServerWrite, "namespace">, namespace: string): boolean {
    return this.#single || write.namespace === namespace;
  }

  #collection(namespace: string): string {
    return this.#single ? "" : namespace;
  }
}

export function isRed({ spec }: Thing): boolean {
  return (spec as { readonly colour?: string }).colour === "red";
}
