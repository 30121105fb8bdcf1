import type { Frozen, KubeObject, ObjectKey } from "../api/index.ts";
import { parseKey } from "../api/index.ts";
import { type Clock, realClock } from "../base/index.ts";
import { Candidates } from "./objects/candidates.ts";
import type { Entry } from "./objects/entry.ts";
import type { IndexValues } from "./objects/field-index.ts";
import { type EntryName, type IterateOptions, Iteration } from "./objects/iteration.ts";
import { lazyObject } from "./objects/lazy-object.ts";
import type { Selection } from "./objects/selection.ts";
import type { Lister, Store } from "./objects/store.ts";
import {
  type DeletedObject,
  OwnWrites,
  type OwnWritesOptions,
  type Pending,
  type WriteResponse,
} from "./own-writes.ts";

export interface OverlayOptions<T extends KubeObject> extends OwnWritesOptions<T> {
  /** Times the pauses of iterations. */
  readonly clock?: Clock | undefined;
}

/**
 * Read-your-writes over the store of an informer: reads return the results of own writes before the watch delivers
 * them. `OwnWrites` keeps these writes until the store has them.
 *
 * The response to some writes does not contain the object. Until the store has such a write, reads return the stored
 * object, and `isBehind` returns true: the caller has to read from the server.
 *
 * Event handlers are not affected: they are notified of own writes when the watch delivers them.
 */
export class Overlay<T extends KubeObject> implements Lister<T> {
  readonly #store: Store<T>;
  readonly #own: OwnWrites<T>;
  readonly #clock: Clock;

  constructor({ clock = realClock, ...options }: OverlayOptions<T>) {
    this.#store = options.store;
    this.#own = new OwnWrites(options);
    this.#clock = clock;
  }

  /** Number of own writes that the store does not have yet. */
  get size(): number {
    return this.#own.size;
  }

  /**
   * Number of times that a restored etcd took the collection back to an earlier version. A write reads it when it is
   * sent, so that a response that arrives after a rollback is ignored.
   */
  get rollbacks(): number {
    return this.#own.rollbacks;
  }

  /** Records the object that the server returned for a write. */
  recordWrite(object: T, response?: WriteResponse): void {
    this.#own.recordWrite(object, response);
  }

  /** Records a delete. If the server returned an object that is terminating, the caller calls `recordWrite` instead. */
  recordDelete(key: ObjectKey, object: DeletedObject, response?: WriteResponse): void {
    this.#own.recordDelete(key, object, response);
  }

  /** Records an own write whose response does not contain the object. */
  recordPending(key: ObjectKey, pending: Pending<T>, response?: WriteResponse): void {
    this.#own.recordPending(key, pending, response);
  }

  /**
   * Returns true if an own write of this object is not visible here, so that the caller has to read from the server.
   */
  isBehind(key: ObjectKey): boolean {
    return this.#own.isBehind(key);
  }

  /** Returns true if `isBehind` is true for any object of the namespace, or of all namespaces. */
  isBehindIn(namespace: string | undefined): boolean {
    return this.#own.isBehindIn(namespace);
  }

  /**
   * Drops the own writes of a collection that went back to an earlier resource version.
   *
   * @param namespace of the collection; `undefined` for all namespaces
   */
  rollBack(namespace: string | undefined): void {
    this.#own.rollBack(namespace);
  }

  /**
   * Counts a bookmark or list that the store has received.
   *
   * @param namespace of the collection; `undefined` for all namespaces
   */
  checkpoint(namespace: string | undefined): void {
    this.#own.checkpoint(namespace);
  }

  /** Adds an index that the store has, too. */
  index(name: string, values: IndexValues<T>): void {
    this.#own.written.index(name, values);
  }

  get(key: ObjectKey | string): T | undefined {
    return this.#entry(key)?.parse<T>();
  }

  list(selection: Selection = {}): T[] {
    return Array.from(this.#select(selection), (entry) => entry.parse<T>());
  }

  iterate(options: IterateOptions = {}): Iteration<T> {
    const candidates = new Candidates(options, this.#store, this.#own.written);
    const read = ({ namespace, name }: EntryName): T | undefined => {
      const entry = this.#own.newest(namespace, name);
      return entry && candidates.matches(entry) ? entry.parse<T>() : undefined;
    };
    return new Iteration({ parts: candidates.parts(), read, clock: this.#clock });
  }

  by(index: string, value: string): T[] {
    return Array.from(this.#by(index, value), (entry) => entry.parse<T>());
  }

  view(key: ObjectKey | string): Frozen<T> | undefined {
    const entry = this.#entry(key);
    return entry && this.#view(entry);
  }

  /** Like `view`, for reading a few fields once: parses only the fields that are read, and is not shared. */
  lazyView(key: ObjectKey | string): Frozen<T> | undefined {
    const entry = this.#entry(key);
    return entry && (lazyObject<T>(entry) as Frozen<T>); // the same type, as long as the caller does not change it
  }

  views(selection: Selection = {}): Frozen<T>[] {
    return Array.from(this.#select(selection), (entry) => this.#view(entry));
  }

  viewsBy(index: string, value: string): Frozen<T>[] {
    return Array.from(this.#by(index, value), (entry) => this.#view(entry));
  }

  *keys(): Generator<string, void, void> {
    for (const { key } of this.#select({})) yield key;
  }

  #entry(key: ObjectKey | string): Entry | undefined {
    const { namespace = "", name } = parseKey(key);
    return this.#own.newest(namespace, name);
  }

  *#select(selection: Selection): Generator<Entry, void, void> {
    this.#own.settle();
    yield* this.#visible(this.#store.select(selection));
    yield* this.#own.written.select(selection);
  }

  *#by(index: string, value: string): Generator<Entry, void, void> {
    this.#own.settle();
    yield* this.#visible(this.#store.entriesBy(index, value));
    yield* this.#own.written.entriesBy(index, value);
  }

  *#visible(entries: Iterable<Entry>): Generator<Entry, void, void> {
    const hidden = this.#own.hidden();
    if (hidden.size === 0) return yield* entries;
    for (const entry of entries) if (!hidden.has(entry)) yield entry;
  }

  #view(entry: Entry): Frozen<T> {
    if (this.#own.written.size === 0) return this.#store.viewOf(entry);
    const written = this.#own.written.entry(entry.namespace, entry.name);
    return (written === entry ? this.#own.written : this.#store).viewOf(entry);
  }
}
