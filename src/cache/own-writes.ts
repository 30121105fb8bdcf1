import {
  type AnyKind,
  type Frozen,
  type KubeObject,
  keyOf,
  keyText,
  type ObjectKey,
  parseKey,
} from "../api/index.ts";
import { isTerminating } from "../client/index.ts";
import { Entry } from "./objects/entry.ts";
import { EntryReader, type EntryReaderOptions } from "./objects/entry-reader.ts";
import { isOlder } from "./objects/is-older.ts";
import { lazyObject } from "./objects/lazy-object.ts";
import { Marks } from "./objects/marks.ts";
import { Store } from "./objects/store.ts";
import { isRemovedBy, lastCheckpoint, type Removal, type Version } from "./removal.ts";

export interface OwnWritesOptions<T extends KubeObject>
  extends Pick<EntryReaderOptions<T>, "kind" | "managedFields" | "transform"> {
  readonly store: Store<T>;
  /** Returns true if the object belongs to the view of the store. `undefined` if only the server can evaluate that. */
  readonly covers: (object: T) => boolean | undefined;
  /**
   * Returns the resource version up to which the store has everything in this namespace. Empty before the first list,
   * `undefined` if the view does not have the namespace.
   */
  readonly appliedVersion: (namespace: string) => string | undefined;
}

/** Details of a response besides its object. */
export interface WriteResponse {
  /** The body that the object was parsed from, if it is at hand. */
  readonly bytes?: Buffer | undefined;
  /** `rollbacks` of the overlay when the request was sent. @default the current value */
  readonly rollbacks?: number | undefined;
}

/** An object that the server has deleted. */
export interface DeletedObject {
  readonly uid: string;
  /** Its last resource version, if the server returned it. */
  readonly resourceVersion?: string | undefined;
  /** True if it may be terminating instead, because the server returned only a `Status`. */
  readonly uncertain?: boolean | undefined;
}

/** An own write that is not visible here yet. */
export type Pending<T extends KubeObject> =
  /** It created this version or an earlier one. */
  | { readonly resourceVersion: string }
  /** Its version is unknown. It is visible once this returns true for the newest version. */
  | { readonly isVisible: (newest: Frozen<T> | undefined) => boolean };

/**
 * The own writes that the store of an informer does not have yet. A write is dropped when the store has that version of
 * the object or a newer one, or has everything up to that version.
 *
 * Three kinds of own writes are kept:
 * - written: the object in the response.
 * - removal: the response shows that the object was deleted, or that it left the view.
 * - pending: the response does not contain the object (`scale`, an eviction), or the view has a field selector that
 *   cannot be evaluated here. `isBehind` returns true until the store has the write.
 *
 * All of them are dropped when a restored etcd takes the collection back to an earlier version.
 */
export class OwnWrites<T extends KubeObject> {
  /** Written objects. They may include some that the store has already: see `settle`. */
  readonly written: Store<T> = new Store<T>();
  readonly #store: Store<T>;
  readonly #kind: AnyKind;
  readonly #reader: EntryReader<T>;
  readonly #covers: OwnWritesOptions<T>["covers"];
  readonly #appliedVersion: OwnWritesOptions<T>["appliedVersion"];
  readonly #removals = new Marks<Removal>();
  readonly #pending = new Marks<Pending<T>>();
  /** Number of own writes at which obsolete ones are dropped next. */
  #pruneSize = 64;
  #rollbacks = 0;

  constructor({ store, covers, appliedVersion, ...options }: OwnWritesOptions<T>) {
    const { slab } = this.written;
    this.#store = store;
    this.#kind = options.kind as AnyKind; // only its name is read
    this.#covers = covers;
    this.#appliedVersion = appliedVersion;
    this.#reader = new EntryReader({ ...options, slab });
  }

  /** Number of own writes that the store does not have yet. */
  get size(): number {
    this.settle();
    let removals = 0;
    for (const key of this.#removals.keys()) if (this.#removals.of(key).some(hasVersion)) removals += 1;
    return this.written.size + removals + this.#pending.size;
  }

  /**
   * Number of times that a restored etcd took the collection back to an earlier version. A write reads it when it is
   * sent, so that a response that arrives after a rollback is ignored.
   */
  get rollbacks(): number {
    return this.#rollbacks;
  }

  /** Records the object that the server returned for a write. */
  recordWrite(object: T, { bytes, rollbacks = this.#rollbacks }: WriteResponse = {}): void {
    const { resourceVersion, namespace = "" } = object.metadata;
    const key = keyOf(object);
    if (this.#isForeign(namespace, rollbacks)) return;
    if (isRemoved(this.#kind, object))
      return this.recordDelete(object.metadata, object.metadata, { rollbacks });
    if (!isOrdered(resourceVersion) || this.#isApplied(namespace, resourceVersion)) return;
    const version: Version = { resourceVersion, metadata: () => object.metadata };
    if (this.#removals.of(key).some((removal) => isRemovedBy(removal, version))) return;
    const covered = this.#covers(object);
    if (covered === undefined) return this.#addPending(key, { resourceVersion });
    if (!covered) return this.#addRemoval(key, { type: "movedOut", resourceVersion });
    const entry = bytes ? this.#reader.responseObject(object, bytes) : this.#reader.object(object);
    if (entry instanceof Entry) this.#write(entry);
    this.#reader.settle();
  }

  /** Records a delete. If the server returned an object that is terminating, the caller calls `recordWrite` instead. */
  recordDelete(
    key: ObjectKey,
    object: DeletedObject,
    { rollbacks = this.#rollbacks }: WriteResponse = {},
  ): void {
    const { namespace = "", name } = key;
    if (this.#isForeign(namespace, rollbacks)) return;
    const newest = this.written.entry(namespace, name) ?? this.#store.entry(namespace, name);
    const { uid, uncertain, resourceVersion = versionOf(newest, uid) } = object;
    if (resourceVersion !== undefined && !isOrdered(resourceVersion)) return;
    this.#addRemoval(keyText(key), {
      type: uncertain ? "presumedDeleted" : "deleted",
      uid,
      resourceVersion,
      checkpoints: 0,
    });
  }

  /** Records an own write whose response does not contain the object. */
  recordPending(
    key: ObjectKey,
    pending: Pending<T>,
    { rollbacks = this.#rollbacks }: WriteResponse = {},
  ): void {
    if (!this.#isForeign(key.namespace ?? "", rollbacks)) this.#addPending(keyText(key), pending);
  }

  /**
   * Returns true if an own write of this object is not visible here, so that the caller has to read from the server.
   */
  isBehind(key: ObjectKey): boolean {
    if (this.#pending.size === 0) return false;
    const text = keyText(key);
    return this.#pending.of(text).some((pending) => !this.#isVisible(pending, text));
  }

  /** Returns true if `isBehind` is true for any object of the namespace, or of all namespaces. */
  isBehindIn(namespace: string | undefined): boolean {
    if (this.#pending.size === 0) return false;
    for (const key of this.#pending.keys()) {
      const { namespace: of, name } = parseKey(key);
      if ((!namespace || of === namespace) && this.isBehind({ namespace: of, name })) return true;
    }
    return false;
  }

  /**
   * Drops the own writes of a collection that went back to an earlier resource version, because etcd was restored: they
   * may be undone. The store has those that are left.
   *
   * @param namespace of the collection; `undefined` for all namespaces
   */
  rollBack(namespace: string | undefined): void {
    this.#rollbacks += 1;
    const isElsewhere = (_: unknown, key: string): boolean =>
      namespace !== undefined && parseKey(key).namespace !== namespace;
    this.#removals.keep(isElsewhere);
    this.#pending.keep(isElsewhere);
    for (const entry of this.written.entries()) {
      if (!isElsewhere(undefined, entry.key)) this.written.remove(entry.namespace, entry.name);
    }
  }

  /**
   * Counts a bookmark or list that the store has received, and drops removals by uid that are older than two of them:
   * see `lastCheckpoint`.
   *
   * @param namespace of the collection; `undefined` for all namespaces
   */
  checkpoint(namespace: string | undefined): void {
    if (this.#removals.size === 0) return;
    this.#removals.keep((removal, key) => {
      if (!("uid" in removal) || (namespace !== undefined && parseKey(key).namespace !== namespace))
        return true;
      removal.checkpoints += 1;
      return removal.checkpoints < lastCheckpoint;
    });
  }

  /** Returns the newest version of an object: own, or from the store unless an own write has removed it. */
  newest(namespace: string, name: string): Entry | undefined {
    const written = this.written.size > 0 ? this.written.entry(namespace, name) : undefined;
    if (written && !this.#isDelivered(written)) return written;
    const stored = this.#store.entry(namespace, name);
    return stored && this.#isRemoved(stored) ? undefined : stored;
  }

  /** Returns the entries of the store that reads skip: own writes replace or remove them. */
  hidden(): ReadonlySet<Entry> {
    if (this.written.size === 0 && this.#removals.size === 0) return nothing;
    const hidden = new Set<Entry>();
    for (const { namespace, name } of this.written.entries()) {
      const stored = this.#store.entry(namespace, name);
      if (stored) hidden.add(stored);
    }
    for (const key of this.#removals.keys()) {
      const { namespace = "", name } = parseKey(key);
      const stored = this.#store.entry(namespace, name);
      if (stored && this.#isRemoved(stored)) hidden.add(stored);
    }
    return hidden;
  }

  #write(entry: Entry): void {
    const newest = this.newest(entry.namespace, entry.name);
    if (newest && !isOlder(newest.resourceVersion, entry.resourceVersion)) return;
    this.written.put(entry);
    this.#prune();
  }

  #addRemoval(key: string, removal: Removal): void {
    const { namespace = "", name } = parseKey(key);
    const written = this.written.entry(namespace, name);
    if (written && isRemovedBy(removal, written)) this.written.remove(namespace, name);
    this.#removals.add(key, removal);
    this.#prune();
  }

  #addPending(key: string, pending: Pending<T>): void {
    if (this.#isVisible(pending, key)) return;
    this.#pending.add(key, pending);
    this.#prune();
  }

  /** Returns true if an own write has removed this version of an object, which the store still has. */
  #isRemoved(stored: Entry): boolean {
    if (this.#removals.size === 0) return false;
    const { namespace } = stored;
    return this.#removals
      .of(stored.key)
      .some((removal) => isRemovedBy(removal, stored) && !this.#isObsolete(namespace, removal));
  }

  /**
   * Drops obsolete own writes from time to time. `settle` alone would not run in a program that only writes and gets.
   */
  #prune(): void {
    if (this.#changes < this.#pruneSize) return;
    this.settle();
    this.#pruneSize = 2 * this.#changes + 64;
  }

  get #changes(): number {
    return this.written.size + this.#removals.size + this.#pending.size;
  }

  /** Drops the own writes that the store has caught up with. */
  settle(): void {
    if (this.#changes === 0) return;
    for (const entry of this.written.entries()) {
      if (this.#isDelivered(entry)) this.written.remove(entry.namespace, entry.name);
    }
    this.#pending.keep((pending, key) => !this.#isVisible(pending, key));
    let unseen = 0;
    for (const key of this.#removals.keys()) if (!this.#removals.of(key).some(hasVersion)) unseen += 1;
    this.#removals.keep((removal, key) => {
      const { namespace = "", name } = parseKey(key);
      if (this.#isObsolete(namespace, removal)) return false;
      const stored = this.#store.entry(namespace, name);
      if (stored && isRemovedBy(removal, stored)) return true;
      if (removal.resourceVersion !== undefined) return !this.#isApplied(namespace, removal.resourceVersion);
      unseen -= 1; // its events may still arrive, or it may not be in the view
      return unseen < maxUnseen;
    });
  }

  /** Returns true if the store has this version of the object or a newer one, or has deleted the object since. */
  #isDelivered({ namespace, name, resourceVersion }: Entry): boolean {
    const stored = this.#store.entry(namespace, name);
    const delivered = stored !== undefined && !isOlder(stored.resourceVersion, resourceVersion);
    return delivered || this.#isApplied(namespace, resourceVersion);
  }

  #isVisible(pending: Pending<T>, key: string): boolean {
    const { namespace = "", name } = parseKey(key);
    const newest = this.newest(namespace, name);
    if ("isVisible" in pending) return pending.isVisible(newest && (lazyObject<T>(newest) as Frozen<T>)); // the same type, as long as the callback does not change it
    if (newest && !isOlder(newest.resourceVersion, pending.resourceVersion)) return true;
    return this.#isApplied(namespace, pending.resourceVersion);
  }

  /**
   * Returns true if the store is past the version that left the view: an object that it has now is back in the view.
   */
  #isObsolete(namespace: string, removal: Removal): boolean {
    return !("uid" in removal) && this.#isApplied(namespace, removal.resourceVersion);
  }

  /** Returns true if the store has everything up to this version. */
  #isApplied(namespace: string, resourceVersion: string): boolean {
    const applied = this.#appliedVersion(namespace) ?? "";
    return applied === resourceVersion || isOlder(resourceVersion, applied);
  }

  /** Returns true if a response does not concern this view: another namespace, or from before a restore of etcd. */
  #isForeign(namespace: string, rollbacks: number): boolean {
    return this.#appliedVersion(namespace) === undefined || rollbacks < this.#rollbacks;
  }
}

/** Maximum number of removals by uid of objects that the store has never had. Their events may still arrive. */
const maxUnseen = 64;
const nothing: ReadonlySet<never> = new Set();

function versionOf(entry: Entry | undefined, uid: string): string | undefined {
  return entry?.metadata().uid === uid ? entry.resourceVersion : undefined;
}

/** Returns true if the write that returned this object has deleted it, as when it removes the last finalizer. */
function isRemoved(kind: AnyKind, object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined && !isTerminating(kind, object);
}

function hasVersion({ resourceVersion }: Removal): boolean {
  return resourceVersion !== undefined;
}

function isOrdered(version: string | undefined): version is string {
  return version !== undefined && isOlder("0", version);
}
