import {
  compareResourceVersions,
  type DeepReadonly,
  type KubeObject,
  keyOf,
  type ObjectKey,
  type ObjectMeta,
  parseKey,
} from "../api/index.ts";
import { Entry } from "./entry.ts";
import { EntryReader, type EntryReaderOptions } from "./entry-reader.ts";
import type { IndexValues } from "./field-index.ts";
import { lazyObject } from "./lazy-object.ts";
import { type Lister, type Selection, Store } from "./store.ts";

export interface OverlayOptions<T extends KubeObject>
  extends Pick<EntryReaderOptions<T>, "kind" | "managedFields" | "transform"> {
  readonly store: Store<T>;
  /** Whether the store would have such an object. */
  readonly covers: (object: T) => boolean;
}

/**
 * A copy that is never behind what its reader has written: the store, and over it what was written and has not come back
 * yet. A write is let go of when the store has that version of the object or a newer one, or is known to be past it.
 *
 * Nothing is kept from handlers: they are told of own writes as of all others, when they come.
 */
export class Overlay<T extends KubeObject> implements Lister<T> {
  readonly #store: Store<T>;
  readonly #reader: EntryReader<T>;
  readonly #covers: (object: T) => boolean;
  /** What was written and has not come back. Of no object that is gone. */
  readonly #written = new Store<T>();
  /** What was deleted and may still be in the store, by key. */
  readonly #gone = new Map<string, Gone>();
  /** With so many of both, it is worth a look which of them are of no use any more. */
  #tidySize = 64;

  constructor({ store, covers, ...options }: OverlayOptions<T>) {
    const { slab } = this.#written;
    this.#store = store;
    this.#covers = covers;
    this.#reader = new EntryReader({ ...options, slab });
  }

  /** How many objects differ from the store. */
  get size(): number {
    this.#settle();
    return this.#written.size + this.#gone.size;
  }

  /** Takes what the server has answered to a write. @param bytes that the object was parsed from, where they are at hand */
  wrote(object: T, bytes?: Buffer): void {
    const { resourceVersion, uid } = object.metadata;
    const key = keyOf(object);
    if (!isOrdered(resourceVersion) || this.#isPast(resourceVersion)) return;
    const gone = this.#gone.get(key);
    if (gone && (gone.uid === uid || isOlder(resourceVersion, gone.resourceVersion))) return;
    if (isFinished(object)) return this.deleted(object);
    if (!this.#covers(object)) return this.#leave(key, { resourceVersion });
    const entry = bytes ? this.#reader.answered(object, bytes) : this.#reader.object(object);
    if (entry instanceof Entry) this.#write(entry);
  }

  /**
   * The object is gone from the server, not only marked for deletion: no version of it is read any more. It may be
   * any version of it, such as the last that was read.
   */
  deleted(object: { readonly metadata: Readonly<OneVersion> }): void {
    const { resourceVersion, uid } = object.metadata;
    if (isOrdered(resourceVersion)) this.#leave(keyOf(object), { resourceVersion, uid });
  }

  /** As of the store, which has to have it too. */
  index(name: string, values: IndexValues<T>): void {
    this.#written.index(name, values);
  }

  get(key: ObjectKey | string): T | undefined {
    return this.#entry(key)?.parse<T>();
  }

  list(selection: Selection = {}): T[] {
    return Array.from(this.#select(selection), (entry) => entry.parse<T>());
  }

  by(index: string, value: string): T[] {
    return Array.from(this.#by(index, value), (entry) => entry.parse<T>());
  }

  view(key: ObjectKey | string): DeepReadonly<T> | undefined {
    const entry = this.#entry(key);
    return entry && this.#view(entry);
  }

  /** As `view`, for who looks at little of it and once: it is not kept for others, and as much is parsed as is looked at. */
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
    const written = this.#written.entry(namespace, name);
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
    if (this.#written.size === 0 && this.#gone.size === 0) return yield* entries;
    for (const entry of entries) {
      const covered = this.#written.entry(entry.namespace, entry.name) !== undefined;
      if (!covered && !this.#hides(entry)) yield entry;
    }
  }

  #view(entry: Entry): DeepReadonly<T> {
    const written = this.#written.entry(entry.namespace, entry.name);
    return (written === entry ? this.#written : this.#store).viewOf(entry);
  }

  #write(entry: Entry): void {
    const known = this.#newest(entry.namespace, entry.name);
    if (known && !isOlder(known.resourceVersion, entry.resourceVersion)) return;
    this.#gone.delete(entry.key);
    this.#written.put(entry);
    this.#tidy();
  }

  /** What is known to have come after it stays: another object of that name, or a later end. */
  #leave(key: string, gone: Gone): void {
    const { namespace = "", name } = parseKey(key);
    const written = this.#written.entry(namespace, name);
    if (written && isOlder(gone.resourceVersion, written.resourceVersion)) {
      if (gone.uid === undefined || written.metadata().uid !== gone.uid) return;
    }
    const before = this.#gone.get(key);
    const earlier = before && isOlder(gone.resourceVersion, before.resourceVersion);
    this.#written.remove(namespace, name);
    this.#gone.set(key, earlier ? { ...gone, ...before } : gone);
    this.#tidy();
  }

  /** Whether what the store has of an object is from before it went. */
  #hides(known: Entry): boolean {
    const gone = this.#gone.size > 0 ? this.#gone.get(known.key) : undefined;
    if (!gone) return false;
    if (isOlder(known.resourceVersion, gone.resourceVersion)) return true;
    return gone.uid !== undefined && known.metadata().uid === gone.uid;
  }

  /** For who only writes and gets. */
  #tidy(): void {
    if (this.#written.size + this.#gone.size < this.#tidySize) return;
    this.#settle();
    this.#tidySize = 2 * (this.#written.size + this.#gone.size) + 64;
  }

  /** Lets go of what the store has caught up with. */
  #settle(): void {
    for (const entry of this.#written.entries()) {
      if (this.#isBack(entry)) this.#written.remove(entry.namespace, entry.name);
    }
    for (const [key, { resourceVersion }] of this.#gone) {
      const { namespace = "", name } = parseKey(key);
      const known = this.#store.entry(namespace, name);
      if (this.#isPast(resourceVersion) && !(known && this.#hides(known))) this.#gone.delete(key);
    }
  }

  #isBack({ namespace, name, resourceVersion }: Entry): boolean {
    const known = this.#store.entry(namespace, name);
    const back = known !== undefined && !isOlder(known.resourceVersion, resourceVersion);
    return back || this.#isPast(resourceVersion);
  }

  /** Whether the store has seen all up to this version. */
  #isPast(resourceVersion: string): boolean {
    const { resourceVersion: reached } = this.#store;
    return reached === resourceVersion || isOlder(resourceVersion, reached);
  }
}

/** What tells one version of one object from all others. */
type OneVersion = Pick<ObjectMeta, "namespace" | "name" | "uid" | "resourceVersion">;

interface Gone {
  /** A version that it had. */
  readonly resourceVersion: string;
  /** No version of this object is there any more. `undefined` where it only left the view. */
  readonly uid?: string | undefined;
}

/** Marked for deletion with nothing to wait for: the server removes it with the write that makes it so. */
function isFinished({ metadata }: KubeObject): boolean {
  const { deletionTimestamp, finalizers = [], deletionGracePeriodSeconds = 0 } = metadata;
  return deletionTimestamp !== undefined && finalizers.length === 0 && deletionGracePeriodSeconds === 0;
}

function isOrdered(version: string | undefined): version is string {
  return version !== undefined && isOlder("0", version);
}

/** Not, where there is no order. */
function isOlder(version: string, than: string): boolean {
  try {
    return compareResourceVersions(version, than) < 0;
  } catch {
    return false; // what cannot be compared is not known to be older
  }
}
