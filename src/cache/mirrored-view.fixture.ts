import { expect } from "vitest";
import { entryOf, Thing } from "./objects.fixture.ts";
import { Overlay } from "./overlay.ts";
import { Store } from "./store.ts";
import { isInView, type View } from "./view.ts";

/** Something that happened at the server. */
export interface Moment {
  readonly version: number;
  readonly namespace: string;
  readonly name: string;
  /** `undefined` if it is a deletion. */
  readonly object: Thing | undefined;
}

export interface Server {
  /** What happened, oldest first. */
  log: Moment[];
  /** Of the last that happened. */
  version: number;
  /** Counts restores. */
  history: number;
}

/** One view: a store and the versions it has reached, as informers have them. */
export class Mirror {
  readonly view: View<Thing>;
  readonly store = new Store<Thing>();
  readonly overlay: Overlay<Thing>;
  readonly #single: boolean;
  /** Version reached, and history of the server it belongs to, by collection. */
  readonly #reached = new Map<string, { readonly version: number; readonly history: number }>();

  constructor(view: View<Thing>, single: boolean) {
    this.view = view;
    this.#single = single;
    const { store } = this;
    this.overlay = new Overlay<Thing>({
      kind: Thing,
      store,
      covers: (object) => isInView(object, view),
      reached: (namespace) => String(this.reached(namespace).version),
    });
  }

  reached(namespace: string): { readonly version: number; readonly history: number } {
    return this.#reached.get(this.#collection(namespace)) ?? { version: 1, history: 0 };
  }

  /** Whether a watch can go on: connections break with a restore. */
  isWatching({ history }: Server, namespace: string): boolean {
    return this.reached(namespace).history === history;
  }

  /** Delivers the next events of a collection. @default all */
  events(server: Server, namespace: string, count: number = server.log.length): void {
    if (!this.isWatching(server, namespace)) return;
    const { version } = this.reached(namespace);
    const next = server.log.filter((moment) => moment.version > version && this.#isIn(moment, namespace));
    for (const moment of next.slice(0, count)) {
      this.#put(moment);
      this.#reach(namespace, { ...server, version: moment.version });
    }
  }

  relist(server: Server, namespace: string): void {
    const isRewound = server.version < this.reached(namespace).version;
    const latest = new Map<string, Moment>();
    for (const moment of server.log) {
      if (this.#isIn(moment, namespace)) latest.set(`${moment.namespace}/${moment.name}`, moment);
    }
    if (isRewound) this.overlay.rewound(this.#single ? undefined : namespace);
    for (const { namespace: of, name } of [...this.store.entries()]) {
      if (this.#isIn({ namespace: of }, namespace)) this.store.remove(of, name);
    }
    for (const moment of latest.values()) this.#put(moment);
    this.#reach(namespace, server);
    this.overlay.checkpoint(this.#single ? undefined : namespace);
    if (isRewound) expect(this.overlay.list({ namespace })).toEqual(this.store.list({ namespace }));
  }

  bookmark(server: Server, namespace: string): void {
    this.events(server, namespace);
    if (!this.isWatching(server, namespace)) return;
    this.#reach(namespace, server);
    this.overlay.checkpoint(this.#single ? undefined : namespace);
  }

  isInView(object: Thing): boolean {
    return this.view.fields !== undefined && "spec.unknown" in Object(this.view.fields)
      ? isRed(object) // what the server takes for that field
      : isInView(object, this.view) === true;
  }

  #put({ namespace, name, object }: Moment): void {
    if (object && this.isInView(object)) this.store.put(entryOf(object, this.store.slab));
    else this.store.remove(namespace, name);
  }

  #reach(namespace: string, { version, history }: Pick<Server, "version" | "history">): void {
    this.#reached.set(this.#collection(namespace), { version, history });
  }

  #isIn(moment: Pick<Moment, "namespace">, namespace: string): boolean {
    return this.#single || moment.namespace === namespace;
  }

  #collection(namespace: string): string {
    return this.#single ? "" : namespace;
  }
}

export function isRed({ spec }: Thing): boolean {
  return (spec as { readonly colour?: string }).colour === "red";
}
