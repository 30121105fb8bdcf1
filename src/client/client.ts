import type {
  AnyKind,
  ContentOf,
  DeepReadonly,
  Draft,
  Kind,
  KubeObject,
  New,
  ObjectKey,
} from "../api/index.ts";
import type { Metrics } from "../base/index.ts";
import type { Impersonation, Transport } from "../transport/index.ts";
import type { Collection, CollectionOptions } from "./collection.ts";
import type { Discovery, ServerVersion } from "./discovery.ts";
import type {
  ApplyOptions,
  ApplyStatusOptions,
  CallOptions,
  CreateOptions,
  DeleteAllOptions,
  DeleteOptions,
  FieldManagerOptions,
  GetOptions,
  ListOptions,
  MigrateOptions,
  Migration,
  Page,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from "./options.ts";
import type { Patch } from "./patch.ts";
import type { LogOptions } from "./pod-logs.ts";
import type { AttachOptions, ExecOptions } from "./remote-command.ts";
import type { RemoteSession } from "./remote-session.ts";
import type { Subresource, SubresourceName, SubresourceOf } from "./subresource.ts";

/** Reads objects, from the server or from a cache. */
export interface Reader {
  /** Returns the object, or `undefined` if it does not exist. Every other failure throws an `ApiError`. */
  get<T extends KubeObject>(
    kind: AnyKind<T>,
    key: ObjectKey | string,
    options?: GetOptions,
  ): Promise<T | undefined>;
  /**
   * Returns all objects, requested page by page. Other work of the process runs between pages, and every 10 ms if the
   * objects come from the cache of a manager. All objects are in memory at once. For a very large number, use `pages`
   * of a client or `cache.of(kind).iterate()` of a manager.
   */
  list<T extends KubeObject>(kind: AnyKind<T>, options?: ListOptions): Promise<T[]>;
}

/**
 * A client for one API server.
 *
 * A key without a namespace means the client's namespace, for namespaced kinds. Returned objects are plain objects as
 * the server sent them, and the caller may change them. Integers beyond 2^53 lose digits when they are read, as in all
 * JSON of JavaScript, so every write that contains one is refused with its path (`RangeError`). Use `patch` or `apply`
 * for the other fields of such an object.
 */
export interface Client extends Reader, AsyncDisposable {
  /** The namespace of keys that name none. */
  readonly namespace: string;
  /** The field manager of this client's writes, unless a call names another. */
  readonly fieldManager: string;
  /** The transport below this client, for caches and tools. */
  readonly transport: Transport;

  /** Lists page by page. A page is requested when the loop reaches it. An expired list throws (`isExpired`). */
  pages<T extends KubeObject>(kind: AnyKind<T>, options?: ListOptions): AsyncIterable<Page<T>>;
  /**
   * Watches objects. It delivers the existing objects as `added` and then every change; with a `resourceVersion`, only
   * the changes since then. It resumes after lost connections without a gap. It throws if it cannot resume
   * (`isExpired`: list again) or lacks permission.
   */
  watch<T extends KubeObject>(kind: AnyKind<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>>;

  create<T extends KubeObject>(
    kind: AnyKind<T>,
    object: New<NoInfer<T>>,
    options?: CreateOptions,
  ): Promise<T>;
  /** Replaces the object. Throws `isConflict` if the object has changed since it was read. */
  update<T extends KubeObject>(kind: AnyKind<T>, object: NoInfer<T>, options?: WriteOptions): Promise<T>;
  patch<T extends KubeObject>(
    kind: AnyKind<T>,
    key: ObjectKey | string,
    patch: Patch<NoInfer<T>>,
    options?: WriteOptions,
  ): Promise<T>;
  /** Applies the fields of `object` with server-side apply. This client's field manager becomes their owner. */
  apply<T extends KubeObject>(
    kind: AnyKind<T>,
    object: Draft<NoInfer<T>>,
    options?: ApplyOptions,
  ): Promise<T>;
  /**
   * Applies only `status`, through the status subresource. If the target is an object or its metadata, the write
   * applies only to the object with that uid.
   *
   * A field that this field manager applied before and that is left out now is removed; `patchStatus` changes single
   * fields. Conditions of other managers stay. A condition without `lastTransitionTime` keeps that of the current
   * object unless its status changes, and gets the generation of the target, or of the current object, as
   * `observedGeneration`. That reads the schema of the kind once, and is refused unless the schema has one condition
   * per `type`.
   *
   * ```ts
   * await client.applyStatus(Website, website, { url, conditions: [ready(true, "Deployed", "all replicas are ready")] });
   * ```
   */
  applyStatus<T extends KubeObject>(
    kind: AnyKind<T>,
    target: ObjectKey | string | DeepReadonly<NoInfer<T>>,
    status: AppliedStatus<NoInfer<T>>,
    options?: ApplyStatusOptions,
  ): Promise<T>;
  /**
   * Changes single fields of `status` with a merge patch: `null` removes a field, and what is left out stays. A merge
   * patch would replace the conditions of other managers too, so apply those.
   */
  patchStatus<T extends KubeObject>(
    kind: AnyKind<T>,
    key: ObjectKey | string,
    status: StatusPatch<NoInfer<T>>,
    options?: Omit<WriteOptions, "subresource">,
  ): Promise<T>;
  /**
   * Deletes an object. Returns it if it is terminating: it has finalizers or a grace period, or is a Namespace with
   * finalizers in its `spec`. Returns `undefined` if the object is removed or did not exist.
   *
   * If the target is an object or its metadata, only the object with that uid is deleted. Throws `isConflict` if a
   * newer object has the same name.
   */
  delete<T extends KubeObject>(
    kind: AnyKind<T>,
    target: ObjectKey | string | DeepReadonly<NoInfer<T>>,
    options?: DeleteOptions,
  ): Promise<T | undefined>;
  /**
   * Deletes the objects that match the selectors. Namespaced kinds need a namespace, because the server deletes in one
   * at a time.
   *
   * The response does not contain which objects are terminating. So the client of a manager reads the deleted objects
   * from the server until the watch has delivered the change, and `cache.of(kind)` returns the old objects until then.
   */
  deleteAll<T extends KubeObject>(kind: AnyKind<T>, options: DeleteAllOptions): Promise<void>;

  /**
   * Rewrites all objects of a custom kind in its storage version, and removes the other versions from
   * `status.storedVersions` of its CustomResourceDefinition, so that they can be removed from `spec.versions`. Does
   * nothing if only the storage version is there. Objects that were deleted or written by other clients in the meantime
   * are done. It can be repeated after an error.
   *
   * Call it when all API servers have observed the new storage version. It needs the permissions to list and patch the
   * objects in all namespaces, to get the definition, and to patch its status.
   */
  migrate(kind: AnyKind, options?: MigrateOptions): Promise<Migration>;

  /**
   * Returns a client for a subresource: `scale`, `eviction`, `binding` and `token` with their types, and any other one
   * whose body is JSON by its name. `status`, which has the type of the object, is an option of the writes.
   *
   * The responses to writes of `scale`, `eviction` and `binding` do not contain the object. So the client of a manager
   * reads the object from the server until the watch has delivered the change, and `cache.of(kind)` returns the old
   * object until then.
   */
  subresource<N extends SubresourceName>(
    kind: AnyKind,
    key: ObjectKey | string,
    name: N,
  ): Subresource<SubresourceOf<N>>;
  /** Returns the log of a container, line by line. */
  logs(pod: ObjectKey | string, options?: LogOptions): AsyncIterable<string>;

  /**
   * Runs a command in a container, over a WebSocket with the optional package `ws`. Resolves when the server has accepted
   * it. A manager with leader election runs it only while it leads. It needs the permission to `create` pods/exec.
   */
  exec(pod: ObjectKey | string, command: readonly string[], options?: ExecOptions): Promise<RemoteSession>;
  /** Attaches to the process of a container, as `exec` does to a new one. It needs `create` of pods/attach. */
  attach(pod: ObjectKey | string, options?: AttachOptions): Promise<RemoteSession>;

  /** Returns all kinds that the server serves. */
  discover(options?: CallOptions): Promise<Discovery>;
  /**
   * Returns the kind with its plural and scope. Unknown ones are resolved on the server, once. Every call resolves them
   * again if the server no longer serves the kind at that path, because its CRD may have been replaced.
   */
  resolve<T extends KubeObject>(kind: AnyKind<T>, options?: CallOptions): Promise<Kind<T>>;
  version(options?: CallOptions): Promise<ServerVersion>;
  /**
   * Returns the requests to read objects of a kind, for caches and tools that read bytes. Sends nothing for a known
   * kind.
   */
  collection<T extends KubeObject>(kind: AnyKind<T>, options?: CollectionOptions): Promise<Collection<T>>;

  /**
   * Returns the same client restricted to one namespace. It is the default of every call, and calls for another
   * namespace are refused before anything is sent. The restriction cannot be removed.
   */
  inNamespace(namespace: string): Client;
  /**
   * Returns the same client with another impersonated user. The client's own credentials need the permission to
   * `impersonate` that user.
   */
  as(identity: Impersonation): Client;
  /** Returns the same client with another field manager, of 1 to 128 printable characters. */
  withFieldManager(fieldManager: string, options?: FieldManagerOptions): Client;
  /**
   * Returns the same client with `layer` around its transport, above retries. A layer can delay or refuse writes, for
   * example.
   */
  through(layer: (transport: Transport) => Transport): Client;
  /**
   * Records the `rest_client_*` metrics of this client and of all clients derived from it in `metrics`, until the result
   * is disposed. A request is counted once in each registry. A manager does this with its registry.
   */
  recordMetrics(metrics: Metrics): Disposable;
  /** Closes the connections of this client and of all clients derived from it. */
  close(): Promise<void>;
}

/** The status of a kind's objects as clients write it, or `never` if they have none. */
export type StatusOf<T> = "status" extends keyof ContentOf<T> ? NonNullable<ContentOf<T>["status"]> : never;

/** The status of a kind as `applyStatus` accepts it: the client sets `lastTransitionTime` of conditions without one. */
export type AppliedStatus<T> = WithAppliedConditions<StatusOf<T>>;

type WithAppliedConditions<S> = "conditions" extends keyof S
  ? Omit<S, "conditions"> & { readonly conditions?: AppliedConditions<S["conditions"]> | undefined }
  : S;

type AppliedConditions<L> = NonNullable<L> extends readonly (infer C)[] ? readonly WithoutTime<C>[] : L;

type WithoutTime<C> = C extends { lastTransitionTime?: unknown }
  ? Omit<C, "lastTransitionTime"> & Partial<Pick<C, "lastTransitionTime">>
  : C;

/** The fields of a status to change. Conditions are applied, because a patch would replace those of other managers. */
export type StatusPatch<T> = StatusFields<StatusOf<T>>;

type StatusFields<S> = keyof S extends never
  ? S
  : { readonly [F in Exclude<keyof S, "conditions">]?: S[F] | null } & { readonly conditions?: undefined };
