import {
  type AnyKind,
  type DeepReadonly,
  type Draft,
  isDiscovered,
  type Kind,
  type KubeObject,
  keyText,
  metadataOnly,
  type New,
  type ObjectKey,
  parseKey,
} from "../api/index.ts";
import type {
  ApplyOptions,
  CallOptions,
  Client,
  Collection,
  CollectionOptions,
  CreateOptions,
  DeleteAllOptions,
  DeleteOptions,
  Discovery,
  FieldManagerOptions,
  GetOptions,
  Impersonation,
  ListOptions,
  LogOptions,
  Page,
  Patch,
  ServerVersion,
  StatusOf,
  Subresource,
  Subresources,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from "../client/index.ts";
import type { Write, WriteObserver } from "../detector/index.ts";
import { abortableRequests } from "./abortable-requests.ts";
import { type DeclaredCache, readFromServer } from "./declared-cache.ts";
import { isOwnWrite } from "./is-own-write.ts";
import { merged } from "./merged-lister.ts";
import { ReportingSubresource } from "./reporting-subresource.ts";
import type { RequestScope } from "./request-scope.ts";
import {
  fieldsSetBy,
  forced,
  isBound,
  isMarkedForDeletion,
  isObjectOf,
  keyOfTarget,
  listRequestsOf,
  type ObjectWrite,
  type SubresourceWrite,
  versionOf,
} from "./write-responses.ts";

export interface CachingClientOptions {
  readonly live: Client;
  readonly cache: DeclaredCache;
  /** If true, reads of undeclared kinds throw instead of going to the server. @default false */
  readonly strict?: boolean | undefined;
  /** Notified of every write except dry runs. @default none */
  readonly observer?: WriteObserver | undefined;
  /** The scope of the reconcile whose end aborts requests to the server. @default none */
  readonly scope?: RequestScope | undefined;
}

/**
 * Reads declared kinds from the cache, own writes included, and everything else from the server. Writes to the server.
 * It starts no informers, so undeclared kinds are not cached. Reads that the cache cannot serve (field selectors, a
 * given resource version, managed fields) go to the server, and so do reads of a view that has not synced, or that does
 * not contain an own write yet.
 *
 * Applies use `force` unless it is set to false, because a controller restores the specified state after other clients
 * have changed it.
 */
export class CachingClient implements Client {
  /** The client that was passed in. Its requests do not belong to `#scope`. */
  readonly #given: Client;
  /** The same client with requests that belong to `#scope`. Created for the first request. */
  #abortable: Client | undefined;
  readonly #cache: DeclaredCache;
  readonly #strict: boolean;
  readonly #observer: WriteObserver | undefined;
  readonly #scope: RequestScope | undefined;

  constructor({ live, cache, strict = false, observer, scope }: CachingClientOptions) {
    this.#given = live;
    this.#scope = scope;
    this.#cache = cache;
    this.#strict = strict;
    this.#observer = observer;
  }

  /**
   * Returns the same client for one reconcile. `observer` is notified of its writes, and its requests belong to
   * `scope`.
   */
  forReconcile(options: Pick<CachingClientOptions, "observer" | "scope">): CachingClient {
    return new CachingClient({ live: this.#given, cache: this.#cache, strict: this.#strict, ...options });
  }

  get #live(): Client {
    const scope = this.#scope;
    if (!scope) return this.#given;
    this.#abortable ??= this.#given.through((transport) => abortableRequests(transport, scope));
    return this.#abortable;
  }

  get namespace(): string {
    return this.#given.namespace;
  }

  get fieldManager(): string {
    return this.#given.fieldManager;
  }

  get transport(): Client["transport"] {
    return this.#live.transport;
  }

  async get<T extends KubeObject>(
    kind: AnyKind<T>,
    key: ObjectKey | string,
    options: GetOptions = {},
  ): Promise<T | undefined> {
    const resolved = isDiscovered(kind) ? kind : await this.#live.resolve(kind, options);
    const fullKey = this.#fullKey(resolved, key);
    const special = options.resourceVersion !== undefined;
    if (!this.#isCached(kind, fullKey.namespace) || special) return this.#live.get(kind, key, options);
    const found = this.#cache.get(kind, fullKey);
    return found === readFromServer ? this.#live.get(kind, key, options) : found;
  }

  async list<T extends KubeObject>(kind: AnyKind<T>, options: ListOptions = {}): Promise<T[]> {
    const { fields, resourceVersion, managedFields } = options;
    const special = fields !== undefined || resourceVersion !== undefined || managedFields;
    if (!this.#isCached(kind, options.namespace) || special) return this.#live.list(kind, options);
    const listed = this.#cache.list(kind, options);
    if (!listed) return this.#live.list(kind, options);
    const { cached, uncached } = listed;
    if (cached && uncached.length === 0) return cached.toArray();
    const requests = uncached.flatMap((view) => listRequestsOf(view, options));
    const responses = requests.map((request) => this.#live.list(kind, request));
    return merged(await Promise.all([cached?.toArray() ?? [], ...responses]));
  }

  pages<T extends KubeObject>(kind: AnyKind<T>, options?: ListOptions): AsyncIterable<Page<T>> {
    return this.#live.pages(kind, options);
  }

  watch<T extends KubeObject>(kind: AnyKind<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>> {
    return this.#live.watch(kind, options);
  }

  async create<T extends KubeObject>(
    kind: AnyKind<T>,
    object: New<NoInfer<T>>,
    options: CreateOptions = {},
  ): Promise<T> {
    const send: Send<T> = (extra) => this.#live.create(kind, object, { ...options, ...extra });
    const written = { verb: "create", kind, target: object.metadata, sent: object } as const;
    return this.#write(written, options, send);
  }

  async update<T extends KubeObject>(
    kind: AnyKind<T>,
    object: NoInfer<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    const send: Send<T> = (extra) => this.#live.update(kind, object, { ...options, ...extra });
    return this.#write({ verb: "update", kind, target: object.metadata, sent: object }, options, send);
  }

  async patch<T extends KubeObject>(
    kind: AnyKind<T>,
    key: ObjectKey | string,
    patch: Patch,
    options: WriteOptions = {},
  ): Promise<T> {
    const send: Send<T> = (extra) => this.#live.patch(kind, key, patch, { ...options, ...extra });
    return this.#write({ verb: "patch", kind, target: key, sent: patch }, options, send);
  }

  async apply<T extends KubeObject>(
    kind: AnyKind<T>,
    object: Draft<NoInfer<T>>,
    options: ApplyOptions = {},
  ): Promise<T> {
    const send: Send<T> = (extra) => this.#live.apply(kind, object, { ...forced(options), ...extra });
    return this.#write({ verb: "apply", kind, target: object.metadata, sent: object }, options, send);
  }

  async applyStatus<T extends KubeObject>(
    kind: AnyKind<T>,
    target: ObjectKey | string | DeepReadonly<NoInfer<T>>,
    status: StatusOf<NoInfer<T>>,
    options: Omit<ApplyOptions, "owner" | "subresource"> = {},
  ): Promise<T> {
    const send: Send<T> = (extra) =>
      this.#live.applyStatus(kind, target, status, { ...forced(options), ...extra });
    const written = { verb: "apply", kind, target: keyOfTarget(target), sent: { status } } as const;
    return this.#write(written, { ...options, subresource: "status" }, send);
  }

  async delete<T extends KubeObject>(
    kind: AnyKind<T>,
    target: ObjectKey | string | DeepReadonly<NoInfer<T>>,
    options: DeleteOptions = {},
  ): Promise<T | undefined> {
    const written: ObjectWrite<T> = { verb: "delete", kind, target: keyOfTarget(target) };
    if (options.dryRun) return this.#live.delete(kind, target, options);
    const resolved = isDiscovered(kind) ? kind : await this.#live.resolve(kind, options);
    const onDeleted = this.#cache.prepareDelete(kind, this.#fullKey(resolved, keyOfTarget(target)));
    let body: Buffer | undefined;
    const onResponseBody = (bytes: Buffer): void => {
      body = bytes;
      options.onResponseBody?.(bytes);
    };
    const terminating = await this.#observed(written, options, () =>
      this.#live.delete(kind, target, { ...options, onResponseBody }),
    );
    onDeleted(body);
    return terminating;
  }

  async deleteAll<T extends KubeObject>(kind: AnyKind<T>, options: DeleteAllOptions): Promise<void> {
    let body: Buffer | undefined;
    const onResponseBody = (bytes: Buffer): void => {
      body = bytes;
      options.onResponseBody?.(bytes);
    };
    const sent = this.#cache.rollbackCounts(kind);
    await this.#live.deleteAll(kind, { ...options, onResponseBody });
    if (body && !options.dryRun) this.#cache.recordDeleteAll(kind, body, sent);
  }

  subresource<S extends keyof Subresources>(
    kind: AnyKind,
    key: ObjectKey | string,
    name: S,
  ): Subresource<Subresources[S]> {
    const subresource = this.#live.subresource(kind, key, name);
    if (name === "token") return subresource; // it does not change the object
    return new ReportingSubresource(subresource, () => {
      const sent = this.#cache.rollbackCounts(kind);
      return (response) => this.#wroteSubresource(kind, key, { name, response, sent });
    });
  }

  logs(pod: ObjectKey | string, options?: LogOptions): AsyncIterable<string> {
    return this.#live.logs(pod, options);
  }

  discover(options?: CallOptions): Promise<Discovery> {
    return this.#live.discover(options);
  }

  resolve<T extends KubeObject>(kind: AnyKind<T>, options?: CallOptions): Promise<Kind<T>> {
    return this.#live.resolve(kind, options);
  }

  version(options?: CallOptions): Promise<ServerVersion> {
    return this.#live.version(options);
  }

  collection<T extends KubeObject>(kind: AnyKind<T>, options?: CollectionOptions): Promise<Collection<T>> {
    return this.#live.collection(kind, options);
  }

  /** Returns a client without the cache, because the cache has other namespaces too. */
  inNamespace(namespace: string): Client {
    return this.#live.inNamespace(namespace);
  }

  /** Returns a client without the cache, because the cache has objects that the other user may not read. */
  as(identity: Impersonation): Client {
    return this.#live.as(identity);
  }

  close(): Promise<void> {
    return this.#live.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  through(layer: Parameters<Client["through"]>[0]): Client {
    const live = this.#live.through(layer);
    const observer = this.#observer;
    return new CachingClient({ live, cache: this.#cache, strict: this.#strict, observer });
  }

  withFieldManager(fieldManager: string, options?: FieldManagerOptions): CachingClient {
    const live = this.#live.withFieldManager(fieldManager, options);
    const observer = this.#observer;
    return new CachingClient({ live, cache: this.#cache, strict: this.#strict, observer });
  }

  #isCached(kind: AnyKind, namespace: string | undefined): boolean {
    if (this.#strict) this.#cache.of(kind, namespace); // throws
    return this.#cache.has(kind, namespace);
  }

  /** Returns the key as the cache has it: with the client's namespace if it has none. */
  #fullKey(kind: AnyKind, key: ObjectKey | string): ObjectKey {
    const { name, namespace = this.namespace } = parseKey(key);
    return isDiscovered(kind) && !kind.namespaced ? { name } : { name, namespace };
  }

  /** Sends a write, and adds its response to the read-your-writes overlay. */
  async #write<T extends KubeObject>(
    written: ObjectWrite<T>,
    options: WriteOptions,
    send: Send<T>,
  ): Promise<T> {
    const { dryRun, subresource } = options;
    if (dryRun) return send({});
    const sent = this.#cache.rollbackCounts(written.kind);
    if (subresource !== undefined && subresource !== "status") {
      const response = await send({});
      this.#wroteSubresourceOf(written, { name: subresource, response, sent });
      return response;
    }
    const before = this.#before(written);
    let bytes: Buffer | undefined;
    const onResponseBody = (body: Buffer): void => {
      bytes = body;
      options.onResponseBody?.(body);
    };
    const after = await this.#observed({ ...written, before }, options, () => send({ onResponseBody }));
    const own = !before || isOwnWrite({ sent: fieldsSetBy(written), before, after });
    this.#cache.recordWrite(written.kind, after, { own, bytes, sent });
    if (written.kind.metadataOnly) {
      const key = after.metadata;
      this.#cache.recordPending(written.kind, { key, pending: after.metadata, wholeOnly: true, sent });
    }
    return after;
  }

  #wroteSubresourceOf({ kind, target }: ObjectWrite<KubeObject>, written: SubresourceWrite): void {
    const { name, namespace } = typeof target === "string" ? parseKey(target) : target;
    if (name !== undefined) this.#wroteSubresource(kind, { name, namespace }, written);
  }

  /**
   * Records a write of a subresource. Some responses contain the whole object, others not even its resource version.
   */
  #wroteSubresource(kind: AnyKind, key: ObjectKey | string, write: SubresourceWrite): void {
    const { name, response, sent } = write;
    const whole: AnyKind = { ...kind, metadataOnly: undefined };
    if (isObjectOf(whole, response)) return this.#cache.recordWrite(whole, response, { sent });
    const fullKey = this.#fullKey(kind, key);
    const resourceVersion = versionOf(response);
    if (resourceVersion !== undefined) {
      return this.#cache.recordPending(kind, { key: fullKey, pending: { resourceVersion }, sent });
    }
    const before = this.#cache.lazyView(whole, fullKey) ?? this.#cache.lazyView(metadataOnly(kind), fullKey);
    const isBinding = name === "binding";
    const isDone = isBinding ? isBound : isMarkedForDeletion;
    const isVisible = (newest: DeepReadonly<KubeObject> | undefined): boolean =>
      newest === undefined || newest.metadata.uid !== before?.metadata.uid || isDone(newest);
    this.#cache.recordPending(kind, { key: fullKey, pending: { isVisible }, wholeOnly: isBinding, sent });
  }

  /** Returns the cached object before a write, or `undefined` for a create or an object without a name. */
  #before<T extends KubeObject>({ verb, kind, target }: ObjectWrite<T>): DeepReadonly<T> | undefined {
    const { name, namespace } = typeof target === "string" ? parseKey(target) : target;
    return verb === "create" || name === undefined ? undefined : this.#cached(kind, { name, namespace });
  }

  async #observed<T extends KubeObject, A extends T | undefined>(
    { verb, kind, target, sent, before }: ObjectWrite<T>,
    { dryRun, subresource }: WriteOptions,
    send: () => Promise<A>,
  ): Promise<A> {
    if (!this.#observer || dryRun) return send();
    const { name, namespace } = typeof target === "string" ? parseKey(target) : target;
    const key = name === undefined ? undefined : this.#fullKey(kind, { name, namespace });
    const write: Write = {
      verb,
      kind: kind.kind,
      key: key && keyText(key),
      sent,
      subresource,
      cached: () => before ?? (key && this.#cached(kind, key)),
      fetch: async () => key && this.#live.get(kind, key),
    };
    return this.#observer.around(write, send);
  }

  /** Returns the cached object, which may be undefined or outdated. */
  #cached<T extends KubeObject>(
    kind: AnyKind<T>,
    target: ObjectKey | string | { readonly metadata: ObjectKey },
  ): DeepReadonly<T> | undefined {
    return this.#cache.lazyView(kind, this.#fullKey(kind, keyOfTarget(target)));
  }
}

/** Sends a write with its own options and `extra`. */
type Send<T> = (extra: Pick<WriteOptions, "onResponseBody">) => Promise<T>;
