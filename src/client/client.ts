import type { AnyKind, DeepReadonly, Draft, Kind, KubeObject, New, ObjectKey } from "../api/index.ts";
import type { Impersonation, Transport } from "../transport/index.ts";
import type { Collection, CollectionOptions } from "./collection.ts";
import type { Discovery, ServerVersion } from "./discovery.ts";
import type {
  ApplyOptions,
  CallOptions,
  CreateOptions,
  DeleteAllOptions,
  DeleteOptions,
  FieldManagerOptions,
  GetOptions,
  ListOptions,
  Page,
  Patch,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from "./options.ts";
import type { LogOptions } from "./pod-logs.ts";
import type { Subresource, Subresources } from "./subresource.ts";

/** Reads objects, from wherever it has them. */
export interface Reader {
  /** The object, or `undefined` where there is none. Every other failure throws `ApiError`. */
  get<T extends KubeObject>(
    kind: AnyKind<T>,
    key: ObjectKey | string,
    options?: GetOptions,
  ): Promise<T | undefined>;
  /**
   * Returns all objects, requested page by page. It lets other work of the process run while it reads, and every 10 ms if it
   * reads from the cache of a manager. All objects are in memory at once: for very many, use `pages` of a client, or
   * `cache.of(kind).iterate()` of a manager.
   */
  list<T extends KubeObject>(kind: AnyKind<T>, options?: ListOptions): Promise<T[]>;
}

/**
 * Talks to one API server.
 *
 * A key without a namespace means the client's own, for kinds that have one. Objects come back as the server sent
 * them, plain and the caller's own. Whole numbers beyond 2^53 lose digits when they are read, as in all JSON of JavaScript,
 * so every write that contains one is refused with its path (`RangeError`): `update` an object without such numbers, and
 * `patch` or `apply` the other fields of one that has them.
 */
export interface Client extends Reader, AsyncDisposable {
  /** Where objects live when a key names no namespace. */
  readonly namespace: string;
  /** Owns the fields that this client writes, unless a call names another. */
  readonly fieldManager: string;
  /** The bytes below, for caches and tools. */
  readonly transport: Transport;

  /** The list a page at a time: what is not looped over is not asked for. An expired list throws (`isExpired`). */
  pages<T extends KubeObject>(kind: AnyKind<T>, options?: ListOptions): AsyncIterable<Page<T>>;
  /**
   * What exists, as `added`, then what changes; with a `resourceVersion`, what changed since. It goes on over lost
   * connections without a gap, and throws where it cannot (`isExpired`: list again) or may not.
   */
  watch<T extends KubeObject>(kind: AnyKind<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>>;

  create<T extends KubeObject>(
    kind: AnyKind<T>,
    object: New<NoInfer<T>>,
    options?: CreateOptions,
  ): Promise<T>;
  /** Replaces the object. Throws `isConflict` where it changed since it was read. */
  update<T extends KubeObject>(kind: AnyKind<T>, object: NoInfer<T>, options?: WriteOptions): Promise<T>;
  patch<T extends KubeObject>(
    kind: AnyKind<T>,
    key: ObjectKey | string,
    patch: Patch,
    options?: WriteOptions,
  ): Promise<T>;
  /** Makes the fields of `object` so, and this client's field manager their owner (server-side apply). */
  apply<T extends KubeObject>(
    kind: AnyKind<T>,
    object: Draft<NoInfer<T>>,
    options?: ApplyOptions,
  ): Promise<T>;
  /**
   * Applies `status` alone, through the status subresource. Given an object or its metadata, only that one (by uid) is
   * written.
   */
  applyStatus<T extends KubeObject>(
    kind: AnyKind<T>,
    target: ObjectKey | string | DeepReadonly<NoInfer<T>>,
    status: StatusOf<NoInfer<T>>,
    options?: Omit<ApplyOptions, "owner" | "subresource">,
  ): Promise<T>;
  /**
   * Deletes an object. Returns it if it stays, terminating: it has finalizers or a grace period, or is a Namespace with
   * finalizers in its `spec`. Returns `undefined` if it is gone, or there was none.
   *
   * Given an object or its metadata, only that one (by uid) is deleted: throws `isConflict` if there is a later one of
   * the same name.
   */
  delete<T extends KubeObject>(
    kind: AnyKind<T>,
    target: ObjectKey | string | DeepReadonly<NoInfer<T>>,
    options?: DeleteOptions,
  ): Promise<T | undefined>;
  /**
   * Deletes what the selectors choose. For kinds with a namespace it must be named: the server takes one at a time.
   *
   * The response does not say which objects stay, terminating. So the client of a manager reads the deleted objects from the
   * server until the watch has delivered the change, and `cache.of(kind)` returns them as they were until then.
   */
  deleteAll<T extends KubeObject>(kind: AnyKind<T>, options: DeleteAllOptions): Promise<void>;

  /**
   * A part of an object with a shape of its own. `status`, whose shape is the object's, is an option of the writes.
   *
   * The responses to writes of `scale`, `eviction` and `binding` do not have the object. So the client of a manager reads it
   * from the server until the watch has delivered the change, and `cache.of(kind)` returns it as it was until then.
   */
  subresource<S extends keyof Subresources>(
    kind: AnyKind,
    key: ObjectKey | string,
    name: S,
  ): Subresource<Subresources[S]>;
  /** A container's log, line by line. */
  logs(pod: ObjectKey | string, options?: LogOptions): AsyncIterable<string>;

  /** All kinds the server knows. */
  discover(options?: CallOptions): Promise<Discovery>;
  /**
   * The kind with its plural and scope. If they are not known they are looked up at the server, once. All calls look
   * them up again when the server stops serving the kind at that path: its CRD may have been replaced by another.
   */
  resolve<T extends KubeObject>(kind: AnyKind<T>, options?: CallOptions): Promise<Kind<T>>;
  version(options?: CallOptions): Promise<ServerVersion>;
  /** Where objects of a kind are read, for caches and tools that read bytes. Sends nothing for a kind that is known. */
  collection<T extends KubeObject>(kind: AnyKind<T>, options?: CollectionOptions): Promise<Collection<T>>;

  /**
   * The same client kept to one namespace: it fills it in, and refuses every other before anything is sent. One that
   * is kept to a namespace is not let out of it.
   */
  inNamespace(namespace: string): Client;
  /**
   * The same client acting as somebody else, in place of whom it acted as before. It is the credentials behind it that
   * need the right to `impersonate`.
   */
  as(identity: Impersonation): Client;
  /** Returns the same client with its writes owned by another field manager: 1 to 128 printable characters. */
  withFieldManager(fieldManager: string, options?: FieldManagerOptions): Client;
  /** The same client with its requests going through `layer`, above retries, such as one that holds writes back. */
  through(layer: (transport: Transport) => Transport): Client;
  /** Lets go of the connections, which clients made from this one share. */
  close(): Promise<void>;
}

/** What a kind's objects have as their status. Nothing can be given for a kind without one. */
export type StatusOf<T> = "status" extends keyof T ? NonNullable<T["status"]> : never;
