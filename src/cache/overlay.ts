import {
  type AnyKind,
  type DeepReadonly,
  type KubeObject,
  keyOf,
  keyText,
  type ObjectKey,
  parseKey,
} from "../api/index.ts";
import { type Clock, realClock } from "../base/index.ts";
import { isTerminating } from "../client/index.ts";
import { Candidates } from "./candidates.ts";
import { Entry } from "./entry.ts";
import { EntryReader, type EntryReaderOptions } from "./entry-reader.ts";
import type { IndexValues } from "./field-index.ts";
import { type EntryName, type IterateOptions, Iteration } from "./iteration.ts";
import { lazyObject } from "./lazy-object.ts";
import { Marks } from "./marks.ts";
import type { DeletedObject, Pending, Response } from "./own-write.ts";
import { isOlder, isRemovedBy, lastCheckpoint, type Removal, type Version } from "./removal.ts";
import type { Selection } from "./selection.ts";
import { type Lister, Store } from "./store.ts";

export interface OverlayOptions<T extends KubeObject>
  extends Pick<EntryReaderOptions<T>, "kind" | "managedFields" | "transform"> {
  readonly store: Store<T>;
  /** Whether the object belongs to the view of the store. `undefined` if only the server can evaluate that. */
  readonly covers: (object: T) => boolean | undefined;
  /**
   * Resource version up to which the store has everything in this namespace. Empty before the first list, `undefined`
   * if the view does not have the namespace.
   */
  readonly reached: (namespace: string) => string | undefined;
  /** Times the pauses of iterations. */
  readonly clock?: Clock | undefined;
}

/**
 * Read-your-writes over the store of an informer: reads return the results of own writes before the watch delivers
 * them. An own write is dropped when the store has that version of the object or a newer one, or has reached it.
 *
 * Three kinds of own writes are kept:
 * - written: the object as the response has it.
 * - gone: the response says that the object was deleted, or shows that it left the view.
 * - pending: the response does not show the object (`scale`, an eviction), or the view has a field selector that cannot
 *   be evaluated here. Until the store shows the write, lists and synchronous reads return what the store has, and
 *   `isBehind` says that the server has to be asked for more.
 *
 * All of them are dropped when a restored etcd takes the collection back to an earlier version. Event handlers are not
 * affected: they receive own writes as all others, when the watch delivers them.
 */
export class Overlay<T extends KubeObject> implements Lister<T> {
  readonly #store: Store<T>;
  readonly #kind: AnyKind;
  readonly #reader: EntryReader<T>;
  readonly #covers: OverlayOptions<T>["covers"];
  readonly #reached: OverlayOptions<T>["reached"];
  readonly #clock: Clock;
  readonly #written = new Store<T>();
  readonly #gone = new Marks<Removal>();
  readonly #pending = new Marks<Pending<T>>();
  /** Number of all marks and writes from which on it is worth looking for obsolete ones. */
  #tidySize = 64;
  #rewinds = 0;

  constructor({ store, covers, reached, clock = realClock, ...options }: OverlayOptions<T>) {
    const { slab } = this.#written;
    this.#store = store;
    this.#kind = options.kind as AnyKind; // only its name is looked at
    this.#covers = covers;
    this.#reached = reached;
    this.#clock = clock;
    this.#reader = new EntryReader({ ...options, slab });
  }

  /** Number of own writes that the store does not show yet. */
  get size(): number {
    this.#settle();
    let gone = 0;
    for (const key of this.#gone.keys()) if (this.#gone.of(key).some(hasVersion)) gone += 1;
    return this.#written.size + gone + this.#pending.size;
  }

  /**
   * Number of times that a restored etcd took the collection back to an earlier version. A write notes it when it is sent,
   * so that a response that arrives after a rewind is recognised.
   */
  get rewinds(): number {
    return this.#rewinds;
  }

  /** Takes the object that the server returned for a write. */
  wrote(object: T, { bytes, rewinds = this.#rewinds }: Response = {}): void {
    const { resourceVersion, namespace = "" } = object.metadata;
    const key = keyOf(object);
    if (this.#isForeign(namespace, rewinds)) return;
    if (isRemoved(this.#kind, object)) return this.deleted(object.metadata, object.metadata, { rewinds });
    if (!isOrdered(resourceVersion) || this.#isPast(namespace, resourceVersion)) return;
    const version: Version = { resourceVersion, metadata: () => object.metadata };
    if (this.#gone.of(key).some((gone) => isRemovedBy(gone, version))) return;
    const covered = this.#covers(object);
    if (covered === undefined) return this.#wait(key, { resourceVersion });
    if (!covered) return this.#leave(key, { type: "moved", resourceVersion });
    const entry = bytes ? this.#reader.answered(object, bytes) : this.#reader.object(object);
    if (entry instanceof Entry) this.#write(entry);
    this.#reader.settle();
  }

  /** Takes what the server said in response to a delete. An object that stays is passed to `wrote`. */
  deleted(key: ObjectKey, object: DeletedObject, { rewinds = this.#rewinds }: Response = {}): void {
    const { namespace = "", name } = key;
    if (this.#isForeign(namespace, rewinds)) return;
    const known = this.#written.entry(namespace, name) ?? this.#store.entry(namespace, name);
    const { uid, uncertain, resourceVersion = versionOf(known, uid) } = object;
    if (resourceVersion !== undefined && !isOrdered(resourceVersion)) return;
    this.#leave(keyText(key), {
      type: uncertain ? "deleted" : "removed",
      uid,
      resourceVersion,
      checkpoints: 0,
    });
  }

  /** Notes an own write whose response does not show the object. */
  changed(key: ObjectKey, pending: Pending<T>, { rewinds = this.#rewinds }: Response = {}): void {
    if (!this.#isForeign(key.namespace ?? "", rewinds)) this.#wait(keyText(key), pending);
  }

  /** Whether an own write of this object is not visible here: only the server has its result. */
  isBehind(key: ObjectKey): boolean {
    if (this.#pending.size === 0) return false;
    const text = keyText(key);
    return this.#pending.of(text).some((pending) => !this.#isVisible(pending, text));
  }

  /** The same for any object of the namespace, or of all. */
  isBehindIn(namespace: string | undefined): boolean {
    if (this.#pending.size === 0) return false;
    for (const key of this.#pending.keys()) {
      const { namespace: of, name } = parseKey(key);
      if ((!namespace || of === namespace) && this.isBehind({ namespace: of, name })) return true;
    }
    return false;
  }

  /**
   * The collection went back to an earlier resource version: etcd was restored. Own writes up to here may be undone,
   * and the store has what is left of them. @param namespace of the collection; `undefined` if it is all of them
   */
  rewound(namespace: string | undefined): void {
    this.#rewinds += 1;
    const isElsewhere = (_: unknown, key: string): boolean =>
      namespace !== undefined && parseKey(key).namespace !== namespace;
    this.#gone.keep(isElsewhere);
    this.#pending.keep(isElsewhere);
    for (const entry of this.#written.entries()) {
      if (!isElsewhere(undefined, entry.key)) this.#written.remove(entry.namespace, entry.name);
    }
  }

  /** The store has received a bookmark or a list. @param namespace of the collection; `undefined` if it is all of them */
  checkpoint(namespace: string | undefined): void {
    if (this.#gone.size === 0) return;
    this.#gone.keep((gone, key) => {
      if (!("uid" in gone) || (namespace !== undefined && parseKey(key).namespace !== namespace)) return true;
      gone.checkpoints += 1;
      return gone.checkpoints < lastCheckpoint;
    });
  }

  /** Adds the index of the store, which has to have it too. */
  index(name: string, values: IndexValues<T>): void {
    this.#written.index(name, values);
  }

  get(key: ObjectKey | string): T | undefined {
    return this.#entry(key)?.parse<T>();
  }

  list(selection: Selection = {}): T[] {
    return Array.from(this.#select(selection), (entry) => entry.parse<T>());
  }

  iterate(options: IterateOptions = {}): Iteration<T> {
    const candidates = new Candidates(options, this.#store, this.#written);
    const read = ({ namespace, name }: EntryName): T | undefined => {
      const entry = this.#newest(namespace, name);
      return entry && candidates.matches(entry) ? entry.parse<T>() : undefined;
    };
    return new Iteration({ parts: candidates.parts(), read, clock: this.#clock });
  }

  by(index: string, value: string): T[] {
    return Array.from(this.#by(index, value), (entry) => entry.parse<T>());
  }

  view(key: ObjectKey | string): DeepReadonly<T> | undefined {
    const entry = this.#entry(key);
    return entry && this.#view(entry);
  }

  /** Like `view`, for reading a few fields once: parses only the fields that are read, and is not shared. */
  glance(key: ObjectKey | string): DeepReadonly<T> | undefined {
    const entry = this.#entry(key);
    return entry && (lazyObject<T>(entry) as DeepReadonly<T>); // the same type, for who does not change it
  }

  views(selection: Selection = {}): DeepReadonly<T>[] {
    return Array.from(this.#select(selection), (entry) => this.#view(entry));
  }

  viewsBy(index: string, value: string): DeepReadonly<T>[] {
    return Array.from(this.#by(index, value), (entry) => this.#view(entry));
  }

  *keys(): Generator<string, void, void> {
    for (const { key } of this.#select({})) yield key;
  }

  #entry(key: ObjectKey | string): Entry | undefined {
    const { namespace = "", name } = parseKey(key);
    return this.#newest(namespace, name);
  }

  #newest(namespace: string, name: string): Entry | undefined {
    const written = this.#written.size > 0 ? this.#written.entry(namespace, name) : undefined;
    if (written && !this.#isBack(written)) return written;
    const known = this.#store.entry(namespace, name);
    return known && this.#hides(known) ? undefined : known;
  }

  *#select(selection: Selection): Generator<Entry, void, void> {
    this.#settle();
    yield* this.#uncovered(this.#store.select(selection));
    yield* this.#written.select(selection);
  }

  *#by(index: string, value: string): Generator<Entry, void, void> {
    this.#settle();
    yield* this.#uncovered(this.#store.entriesBy(index, value));
    yield* this.#written.entriesBy(index, value);
  }

  *#uncovered(entries: Iterable<Entry>): Generator<Entry, void, void> {
    const hidden = this.#hidden();
    if (hidden.size === 0) return yield* entries;
    for (const entry of entries) if (!hidden.has(entry)) yield entry;
  }

  /** The entries of the store that are not read: own writes replace them, or they are gone. */
  #hidden(): ReadonlySet<Entry> {
    if (this.#written.size === 0 && this.#gone.size === 0) return nothing;
    const hidden = new Set<Entry>();
    for (const { namespace, name } of this.#written.entries()) {
      const known = this.#store.entry(namespace, name);
      if (known) hidden.add(known);
    }
    for (const key of this.#gone.keys()) {
      const { namespace = "", name } = parseKey(key);
      const known = this.#store.entry(namespace, name);
      if (known && this.#hides(known)) hidden.add(known);
    }
    return hidden;
  }

  #view(entry: Entry): DeepReadonly<T> {
    if (this.#written.size === 0) return this.#store.viewOf(entry);
    const written = this.#written.entry(entry.namespace, entry.name);
    return (written === entry ? this.#written : this.#store).viewOf(entry);
  }

  #write(entry: Entry): void {
    const known = this.#newest(entry.namespace, entry.name);
    if (known && !isOlder(known.resourceVersion, entry.resourceVersion)) return;
    this.#written.put(entry);
    this.#tidy();
  }

  #leave(key: string, gone: Removal): void {
    const { namespace = "", name } = parseKey(key);
    const written = this.#written.entry(namespace, name);
    if (written && isRemovedBy(gone, written)) this.#written.remove(namespace, name);
    this.#gone.add(key, gone);
    this.#tidy();
  }

  #wait(key: string, pending: Pending<T>): void {
    if (this.#isVisible(pending, key)) return;
    this.#pending.add(key, pending);
    this.#tidy();
  }

  /** Whether this version of an object, which the store has, does not exist any more. */
  #hides(known: Entry): boolean {
    if (this.#gone.size === 0) return false;
    const { namespace } = known;
    return this.#gone
      .of(known.key)
      .some((gone) => isRemovedBy(gone, known) && !this.#isOver(namespace, gone));
  }

  /** Drops obsolete marks too if a program only writes and gets. */
  #tidy(): void {
    if (this.#changes < this.#tidySize) return;
    this.#settle();
    this.#tidySize = 2 * this.#changes + 64;
  }

  get #changes(): number {
    return this.#written.size + this.#gone.size + this.#pending.size;
  }

  /** Drops the own writes that the store has caught up with. */
  #settle(): void {
    if (this.#changes === 0) return;
    for (const entry of this.#written.entries()) {
      if (this.#isBack(entry)) this.#written.remove(entry.namespace, entry.name);
    }
    this.#pending.keep((pending, key) => !this.#isVisible(pending, key));
    let unseen = 0;
    for (const key of this.#gone.keys()) if (!this.#gone.of(key).some(hasVersion)) unseen += 1;
    this.#gone.keep((gone, key) => {
      const { namespace = "", name } = parseKey(key);
      if (this.#isOver(namespace, gone)) return false;
      const known = this.#store.entry(namespace, name);
      if (known && isRemovedBy(gone, known)) return true;
      if (gone.resourceVersion !== undefined) return !this.#isPast(namespace, gone.resourceVersion);
      unseen -= 1; // its events may still come, or it may not be in the view
      return unseen < mostUnseen;
    });
  }

  #isBack({ namespace, name, resourceVersion }: Entry): boolean {
    const known = this.#store.entry(namespace, name);
    const back = known !== undefined && !isOlder(known.resourceVersion, resourceVersion);
    return back || this.#isPast(namespace, resourceVersion);
  }

  #isVisible(pending: Pending<T>, key: string): boolean {
    const { namespace = "", name } = parseKey(key);
    const newest = this.#newest(namespace, name);
    if ("isVisible" in pending)
      return pending.isVisible(newest && (lazyObject<T>(newest) as DeepReadonly<T>)); // as in `glance`
    if (newest && !isOlder(newest.resourceVersion, pending.resourceVersion)) return true;
    return this.#isPast(namespace, pending.resourceVersion);
  }

  /** Whether the store has passed the version with which the object went: if it has one since, that is a truth. */
  #isOver(namespace: string, gone: Removal): boolean {
    return !("uid" in gone) && this.#isPast(namespace, gone.resourceVersion);
  }

  /** Whether the store has everything up to this version. */
  #isPast(namespace: string, resourceVersion: string): boolean {
    const reached = this.#reached(namespace) ?? "";
    return reached === resourceVersion || isOlder(resourceVersion, reached);
  }

  /** Whether a response does not concern this view: of another namespace, or of before a restored etcd. */
  #isForeign(namespace: string, rewinds: number): boolean {
    return this.#reached(namespace) === undefined || rewinds < this.#rewinds;
  }
}

/** Deleted objects that a view has never seen and that are remembered by uid: their events may still be on the way. */
const mostUnseen = 64;
const nothing: ReadonlySet<never> = new Set();

function versionOf(known: Entry | undefined, uid: string): string | undefined {
  return known?.metadata().uid === uid ? known.resourceVersion : undefined;
}

/** Whether the write that returned this object has removed it: it was the last finalizer, or the like. */
function isRemoved(kind: AnyKind, object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined && !isTerminating(kind, object);
}

function hasVersion({ resourceVersion }: Removal): boolean {
  return resourceVersion !== undefined;
}

function isOrdered(version: string | undefined): version is string {
  return version !== undefined && isOlder("0", version);
}
