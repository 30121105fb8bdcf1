import type { KubeObject, ObjectMeta } from "../../api/index.ts";
import type { ChangedMember } from "./changed-members.ts";
import type { Entry } from "./entry.ts";
import { jsonEqual, valuesEqual } from "./json-equal.ts";
import { lazyObject } from "./lazy-object.ts";
import { release, retain } from "./slab.ts";

/**
 * A change of one object, as delivered to one handler. The handler owns the objects in it and may change them. They are
 * parsed when they are first read, the metadata separately from the rest.
 *
 * A handler may keep an event; that costs only the size of its objects. See `releaseEvent`.
 */
export type ObjectEvent<T extends KubeObject> = ObjectAdded<T> | ObjectUpdated<T> | ObjectDeleted<T>;

export interface ObjectAdded<T extends KubeObject> {
  readonly type: "added";
  /** `namespace/name`, or `name` for cluster-scoped objects. Not parsed. */
  readonly key: string;
  /** Resource version of `object`. Not parsed. */
  readonly resourceVersion: string;
  /** `metadata.generation` of `object`, if its kind has one. Nothing else is parsed. */
  readonly generation: number | undefined;
  /** Metadata of `object`. Reading it does not parse the rest, so it is cheaper than `object.metadata`. */
  readonly metadata: ObjectMeta;
  readonly object: T;
  /** True if the object was in the first list, or in the cache when the handler was added. */
  readonly initial: boolean;
}

export interface ObjectUpdated<T extends KubeObject> {
  readonly type: "updated";
  readonly key: string;
  readonly resourceVersion: string;
  readonly generation: number | undefined;
  /**
   * True if any metadata field except the resource version differs from `previous`. It compares bytes and parses
   * nothing, so fields that are only in another order may count as different.
   */
  readonly metadataChanged: boolean;
  readonly metadata: ObjectMeta;
  readonly object: T;
  /** Metadata of `previous`. */
  readonly previousMetadata: ObjectMeta;
  /** The version that was delivered to this handler before. */
  readonly previous: T;
  /** True for a periodic resync of an unchanged object. */
  readonly resync: boolean;
}

export interface ObjectDeleted<T extends KubeObject> {
  readonly type: "deleted";
  readonly key: string;
  readonly resourceVersion: string;
  readonly generation: number | undefined;
  readonly metadata: ObjectMeta;
  /** The last version, or the last known version if the delete was missed. */
  readonly object: T;
  /** True if the delete was learned from a relist (a tombstone). */
  readonly missed: boolean;
}

/** A change of the store. Each handler gets its own event of it. */
export type Change =
  | { readonly type: "added"; readonly entry: Entry; readonly initial: boolean }
  | { readonly type: "updated"; readonly entry: Entry; readonly previous: Entry; readonly resync: boolean }
  | { readonly type: "deleted"; readonly entry: Entry; readonly missed: boolean };

/** Keeps the entries of a change readable until `releaseChange` is called. */
export function retainChange(change: Change): void {
  retain(change.entry);
  if (change.type === "updated") retain(change.previous);
}

export function releaseChange(change: Change): void {
  release(change.entry);
  if (change.type === "updated") release(change.previous);
}

/** Returns a new event, for one handler. */
export function eventOf<T extends KubeObject>(change: Change): ObjectEvent<T> {
  switch (change.type) {
    case "added":
      return new Added(change.entry, change.initial);
    case "updated":
      return new Updated(change.entry, change.previous, change.resync);
    default:
      return new Deleted(change.entry, change.missed);
  }
}

/** Retains one version of an object and parses its parts when they are first read. */
class LazyEvent<T extends KubeObject> {
  readonly #entry: Entry;
  #metadata: ObjectMeta | undefined;
  #object: T | undefined;
  #released = false;

  constructor(entry: Entry) {
    this.#entry = entry;
    retain(entry);
  }

  get key(): string {
    return this.#entry.key;
  }

  get resourceVersion(): string {
    return this.#entry.resourceVersion;
  }

  get generation(): number | undefined {
    return this.open().generation;
  }

  get metadata(): ObjectMeta {
    if (this.#object) return this.#object.metadata;
    this.#metadata ??= this.open().metadata();
    return this.#metadata;
  }

  get object(): T {
    this.#object ??= lazyObject<T>(this.open(), this.#metadata);
    return this.#object;
  }

  /** See `releaseEvent`. @returns true for the first call */
  release(): boolean {
    if (this.#released) return false;
    this.#released = true;
    release(this.#entry);
    return true;
  }

  /** Returns the entry. Throws if the event was released. */
  protected open(): Entry {
    if (this.#released) throw new Error(`event of ${this.key} already released`);
    return this.#entry;
  }
}

class Added<T extends KubeObject> extends LazyEvent<T> implements ObjectAdded<T> {
  readonly type = "added";
  readonly initial: boolean;

  constructor(entry: Entry, initial: boolean) {
    super(entry);
    this.initial = initial;
  }
}

class Updated<T extends KubeObject> extends LazyEvent<T> implements ObjectUpdated<T> {
  readonly type = "updated";
  readonly resync: boolean;
  readonly #previousEntry: Entry;
  #previous: LazyEvent<T> | undefined;

  constructor(entry: Entry, previous: Entry, resync: boolean) {
    super(entry);
    this.#previousEntry = previous;
    this.resync = resync;
    retain(previous);
  }

  get metadataChanged(): boolean {
    const changed = this.#changedMetadata();
    return changed === undefined || changed.some(({ name }) => name !== "resourceVersion");
  }

  /** See `metadataFieldChanged`. */
  metadataFieldChanged(fields: readonly string[]): boolean | undefined {
    return this.open().metadataFieldChanged(this.#previousEntry, fields) ?? this.#fieldChangedByName(fields);
  }

  /** Decides for metadata whose fields are in another order than before. */
  #fieldChangedByName(fields: readonly string[]): boolean | undefined {
    const changed = this.#changedMetadata();
    if (changed === undefined) return undefined;
    for (const { name, before, after } of changed)
      if (fields.includes(name) && !jsonEqual(before, after)) return true;
    return false;
  }

  /** Not cached, because its byte ranges are valid only until another entry is read. */
  #changedMetadata(): readonly ChangedMember[] | undefined {
    return this.open().changedMetadata(this.#previousEntry);
  }

  get previousMetadata(): ObjectMeta {
    return this.#previousEvent().metadata;
  }

  get previous(): T {
    return this.#previousEvent().object;
  }

  override release(): boolean {
    const first = super.release();
    if (first) release(this.#previousEntry);
    if (first) this.#previous?.release();
    return first;
  }

  #previousEvent(): LazyEvent<T> {
    this.open();
    this.#previous ??= new LazyEvent(this.#previousEntry);
    return this.#previous;
  }
}

class Deleted<T extends KubeObject> extends LazyEvent<T> implements ObjectDeleted<T> {
  readonly type = "deleted";
  readonly missed: boolean;

  constructor(entry: Entry, missed: boolean) {
    super(entry);
    this.missed = missed;
  }
}

/**
 * Frees the memory of an event at once. Without this call the garbage collector frees it, which costs more processor
 * time at tens of thousands of events a second. Afterwards, only the key and the resource version of the event can be
 * read. Objects that were read from it stay valid.
 */
export function releaseEvent(event: ObjectEvent<KubeObject>): void {
  if (event instanceof LazyEvent) event.release();
}

/**
 * Returns true if an update changed one of these metadata fields. Another order of members does not count, and an empty
 * value equals an absent one. Fields with the same bytes in both versions are not parsed.
 */
export function metadataFieldChanged(
  event: ObjectUpdated<KubeObject>,
  ...fields: readonly (keyof ObjectMeta)[]
): boolean {
  const changed = event instanceof Updated ? event.metadataFieldChanged(fields) : undefined;
  if (changed !== undefined) return changed;
  const { metadata, previousMetadata } = event;
  return fields.some((field) => !valuesEqual(previousMetadata[field], metadata[field]));
}
