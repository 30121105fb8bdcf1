import type { KubeObject, ObjectMeta } from "../api/index.ts";
import type { ChangedMember } from "./changed-members.ts";
import type { Entry } from "./entry.ts";
import { jsonEqual, valuesEqual } from "./json-equal.ts";
import { lazyObject } from "./lazy-object.ts";
import { release, retain } from "./slab.ts";

/**
 * What happened to one object, as one handler is told it. The objects in it are that handler's own to change; they are
 * parsed when they are first touched, their metadata before the rest.
 *
 * A handler may keep an event, which costs no more than its own size. See `releaseEvent`.
 */
export type ObjectEvent<T extends KubeObject> = ObjectAdded<T> | ObjectUpdated<T> | ObjectDeleted<T>;

export interface ObjectAdded<T extends KubeObject> {
  readonly type: "added";
  /** `namespace/name`, or `name` alone. Costs no parsing. */
  readonly key: string;
  /** Of `object`. Costs no parsing. */
  readonly resourceVersion: string;
  /** Of `object`, where its kind has one. Costs no parsing. */
  readonly generation: number | undefined;
  /** Of `object`, without the rest of it: who needs no more does well to look here. */
  readonly metadata: ObjectMeta;
  readonly object: T;
  /** It was there when the handler began. */
  readonly initial: boolean;
}

export interface ObjectUpdated<T extends KubeObject> {
  readonly type: "updated";
  readonly key: string;
  readonly resourceVersion: string;
  readonly generation: number | undefined;
  /**
   * Whether anything of the metadata but the version is other than before. Costs no parsing: what is only written in another
   * order may count as other.
   */
  readonly metadataChanged: boolean;
  readonly metadata: ObjectMeta;
  readonly object: T;
  /** Of `previous`. */
  readonly previousMetadata: ObjectMeta;
  /** What the handler was told last. */
  readonly previous: T;
  /** Nothing changed: the handler asked to be told again from time to time. */
  readonly resync: boolean;
}

export interface ObjectDeleted<T extends KubeObject> {
  readonly type: "deleted";
  readonly key: string;
  readonly resourceVersion: string;
  readonly generation: number | undefined;
  readonly metadata: ObjectMeta;
  /** The last there was of it, or where that was `missed`, the last that was known. */
  readonly object: T;
  /** Its end was not seen, but for its absence later on. */
  readonly missed: boolean;
}

/** What the store went through, before it is told to anyone. */
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

/** A new event for a handler of its own. */
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

/** One version of an object. Its parts are parsed once, when they are first read. */
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

  /** See `releaseEvent`. @returns whether this is the first call */
  release(): boolean {
    if (this.#released) return false;
    this.#released = true;
    release(this.#entry);
    return true;
  }

  protected open(): Entry {
    if (this.#released)
      throw new Error(`expected an event of ${this.key} that is in use, got a released one`);
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
  readonly #before: Entry;
  #previous: LazyEvent<T> | undefined;

  constructor(entry: Entry, before: Entry, resync: boolean) {
    super(entry);
    this.#before = before;
    this.resync = resync;
    retain(before);
  }

  get metadataChanged(): boolean {
    const changed = this.#compare();
    return changed === undefined || changed.some(({ name }) => name !== "resourceVersion");
  }

  /** See `metadataFieldChanged`. */
  metadataFieldChanged(fields: readonly string[]): boolean | undefined {
    return this.open().metadataFieldChanged(this.#before, fields) ?? this.#knownByName(fields);
  }

  #knownByName(fields: readonly string[]): boolean | undefined {
    const changed = this.#compare();
    if (changed === undefined) return undefined;
    for (const { name, before, after } of changed)
      if (fields.includes(name) && !jsonEqual(before, after)) return true;
    return false;
  }

  /** Not kept: the bytes that it refers to are lent. */
  #compare(): readonly ChangedMember[] | undefined {
    return this.open().changedMetadata(this.#before);
  }

  get previousMetadata(): ObjectMeta {
    return this.#toldBefore().metadata;
  }

  get previous(): T {
    return this.#toldBefore().object;
  }

  override release(): boolean {
    const first = super.release();
    if (first) release(this.#before);
    if (first) this.#previous?.release();
    return first;
  }

  #toldBefore(): LazyEvent<T> {
    this.open();
    this.#previous ??= new LazyEvent(this.#before);
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
 * Frees the memory of an event at once. Without this call the garbage collector frees it, which costs more processor time where
 * tens of thousands of events come in a second. The event must not be read any more, except for its key and resource version;
 * objects that were read from it stay valid.
 */
export function releaseEvent(event: ObjectEvent<KubeObject>): void {
  if (event instanceof LazyEvent) event.release();
}

/**
 * Whether an update changed one of these fields of the metadata: not, where it is only written in another order, or empty in
 * place of absent. What both versions write alike is not parsed.
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
