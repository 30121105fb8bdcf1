import {
  type AnyKind,
  type DeepReadonly,
  type Draft,
  isDiscovered,
  type Kind,
  type KubeObject,
  type New,
  type ObjectKey,
} from "../api/index.ts";
import { matcherOf, type View } from "../cache/index.ts";
import type {
  AppliedStatus,
  ApplyOptions,
  ApplyStatusOptions,
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
  MigrateOptions,
  Migration,
  Page,
  Patch,
  ServerVersion,
  StatusPatch,
  Subresource,
  SubresourceName,
  SubresourceOf,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from "../client/index.ts";
import type { WriteObserver } from "../detector/index.ts";
import { type DeclaredCache, readFromServer } from "./declared-cache.ts";
import { fullKey } from "./full-key.ts";
import { merged } from "./merged-lister.ts";
import { abortableRequests, type RequestScope } from "./request-scope.ts";
import {
  ownedDraft,
  type RequestedApply,
  type UnchangedApplies,
  versionOfTarget,
} from "./unchanged-applies.ts";
import { keyOfTarget, type OnChange, type Send, WriteRecorder } from "./write-recorder.ts";

export interface CachingClientOptions {
  readonly live: Client;
  readonly cache: DeclaredCache;
  /** If true, reads of undeclared kinds throw instead of going to the server. @default false */
  readonly strict?: boolean | undefined;
  /** Notified of every write except dry runs. @default none */
  readonly observer?: WriteObserver | undefined;
  /** Called for every write that changed an object. @default none */
  readonly onChange?: OnChange | undefined;
  /** Skips applies that would change nothing. @default every apply is sent */
  readonly applies?: UnchangedApplies | undefined;
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
  /** Created for the first write. */
  #recorder: WriteRecorder | undefined;
  readonly #cache: DeclaredCache;
  readonly #strict: boolean;
  readonly #observer: WriteObserver | undefined;
  readonly #onChange: OnChange | undefined;
  readonly #applies: UnchangedApplies | undefined;
  readonly #scope: RequestScope | undefined;

  constructor({ live, cache, strict = false, observer, onChange, applies, scope }: CachingClientOptions) {
    this.#onChange = onChange;
    this.#applies = applies;
    this.#given = live;
    this.#scope = scope;
    this.#cache = cache;
    this.#strict = strict;
    this.#observer = observer;
  }

  /**
   * Returns the same client for one reconcile. `observer` and `onChange` are notified of its writes, `applies` skips
   * some of them, and its requests belong to `scope`.
   */
  forReconcile(
    options: Pick<CachingClientOptions, "observer" | "onChange" | "applies" | "scope">,
  ): CachingClient {
    return new CachingClient({ live: this.#given, cache: this.#cache, strict: this.#strict, ...options });
  }

  get #live(): Client {
    const scope = this.#scope;
    if (!scope) return this.#given;
    this.#abortable ??= this.#given.through((transport) => abortableRequests(transport, scope));
    return this.#abortable;
  }

  get #writes(): WriteRecorder {
    this.#recorder ??= new WriteRecorder({
      live: this.#live,
      cache: this.#cache,
      observer: this.#observer,
      onChange: this.#onChange,
    });
    return this.#recorder;
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
    const object = fullKey(resolved, key, this.namespace);
    const special = options.resourceVersion !== undefined;
    if (!this.#isCached(kind, object.namespace) || special) return this.#live.get(kind, key, options);
    const found = this.#cache.get(kind, object);
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
    return this.#writes.write(written, options, send);
  }

  async update<T extends KubeObject>(
    kind: AnyKind<T>,
    object: NoInfer<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    const send: Send<T> = (extra) => this.#live.update(kind, object, { ...options, ...extra });
    return this.#writes.write({ verb: "update", kind, target: object.metadata, sent: object }, options, send);
  }

  async patch<T extends KubeObject>(
    kind: AnyKind<T>,
    key: ObjectKey | string,
    patch: Patch<NoInfer<T>>,
    options: WriteOptions = {},
  ): Promise<T> {
    const send: Send<T> = (extra) => this.#live.patch(kind, key, patch, { ...options, ...extra });
    return this.#writes.write({ verb: "patch", kind, target: key, sent: patch }, options, send);
  }

  async apply<T extends KubeObject>(
    kind: AnyKind<T>,
    object: Draft<NoInfer<T>>,
    options: ApplyOptions = {},
  ): Promise<T> {
    const send: Send<T> = (extra) => this.#live.apply(kind, object, { ...forced(options), ...extra });
    const written = { verb: "apply", kind, target: object.metadata, sent: object } as const;
    const key = fullKey(kind, object.metadata, this.namespace);
    const requested = { kind, key, options, ...ownedDraft(object, options.owner) };
    return this.#unlessUnchanged(requested, () => this.#writes.write(written, options, send));
  }

  async applyStatus<T extends KubeObject>(
    kind: AnyKind<T>,
    target: ObjectKey | string | DeepReadonly<NoInfer<T>>,
    status: AppliedStatus<NoInfer<T>>,
    options: ApplyStatusOptions = {},
  ): Promise<T> {
    const key = fullKey(kind, keyOfTarget(target), this.namespace);
    const current = options.current ?? this.#cache.lazyView(kind, key);
    const send: Send<T> = (extra) =>
      this.#live.applyStatus(kind, target, status, { ...forced(options), ...extra, current });
    const written = { verb: "apply", kind, target: keyOfTarget(target), sent: { status } } as const;
    const all = { ...options, subresource: "status" };
    const write = (): Promise<T> => this.#writes.write(written, all, send);
    if (options.current) return write();
    const requested = { kind, key, draft: { status }, target: versionOfTarget(target), options: all };
    return this.#unlessUnchanged(requested, write);
  }

  async patchStatus<T extends KubeObject>(
    kind: AnyKind<T>,
    key: ObjectKey | string,
    status: StatusPatch<NoInfer<T>>,
    options: Omit<WriteOptions, "subresource"> = {},
  ): Promise<T> {
    const send: Send<T> = (extra) => this.#live.patchStatus(kind, key, status, { ...options, ...extra });
    const written = { verb: "patch", kind, target: key, sent: { merge: { status } } } as const;
    return this.#writes.write(written, { ...options, subresource: "status" }, send);
  }

  async delete<T extends KubeObject>(
    kind: AnyKind<T>,
    target: ObjectKey | string | DeepReadonly<NoInfer<T>>,
    options: DeleteOptions = {},
  ): Promise<T | undefined> {
    return this.#writes.delete(kind, target, options);
  }

  async deleteAll<T extends KubeObject>(kind: AnyKind<T>, options: DeleteAllOptions): Promise<void> {
    await this.#writes.deleteAll(kind, options);
  }

  subresource<N extends SubresourceName>(
    kind: AnyKind,
    key: ObjectKey | string,
    name: N,
  ): Subresource<SubresourceOf<N>> {
    return this.#writes.subresource(kind, key, name);
  }

  logs(pod: ObjectKey | string, options?: LogOptions): AsyncIterable<string> {
    return this.#live.logs(pod, options);
  }

  exec(...args: Parameters<Client["exec"]>): ReturnType<Client["exec"]> {
    return this.#live.exec(...args);
  }

  attach(...args: Parameters<Client["attach"]>): ReturnType<Client["attach"]> {
    return this.#live.attach(...args);
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

  migrate(kind: AnyKind, options?: MigrateOptions): Promise<Migration> {
    return this.#live.migrate(kind, options);
  }

  recordMetrics(...args: Parameters<Client["recordMetrics"]>): Disposable {
    return this.#given.recordMetrics(...args);
  }

  close(): Promise<void> {
    return this.#live.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  through(layer: Parameters<Client["through"]>[0]): Client {
    const live = this.#live.through(layer);
    return this.#over(live);
  }

  withFieldManager(fieldManager: string, options?: FieldManagerOptions): CachingClient {
    const live = this.#live.withFieldManager(fieldManager, options);
    return this.#over(live);
  }

  /** Returns this client over another one, without the scope of a reconcile. */
  #over(live: Client): CachingClient {
    const cached = { cache: this.#cache, strict: this.#strict };
    return new CachingClient({ ...cached, live, observer: this.#observer, onChange: this.#onChange });
  }

  /** Sends an apply unless it would change nothing. Requests of an aborted reconcile are sent, and rejected. */
  #unlessUnchanged<T extends KubeObject>(
    apply: Omit<RequestedApply<T>, "fieldManager">,
    send: () => Promise<T>,
  ): Promise<T> {
    if (!this.#applies || this.#scope?.aborted || !isDiscovered(apply.kind)) return send();
    const { fieldManager = this.fieldManager } = apply.options;
    return this.#applies.apply({ ...apply, fieldManager }, send);
  }

  #isCached(kind: AnyKind, namespace: string | undefined): boolean {
    if (this.#strict) this.#cache.of(kind, namespace); // throws
    return this.#cache.has(kind, namespace);
  }
}

/** Returns the list requests that together return the requested objects of a view: one, or one per namespace. */
function listRequestsOf(view: View<KubeObject>, options: ListOptions): ListOptions[] {
  const labels = [view.labels, options.labels]
    .map((each) => matcherOf(each)?.text)
    .filter(Boolean)
    .join(",");
  const selected = { ...options, labels: labels || undefined, fields: view.fields };
  if (options.namespace || !view.namespaces?.length) return [selected];
  return view.namespaces.map((namespace) => ({ ...selected, namespace }));
}

function forced<O extends Pick<ApplyOptions, "force">>(options: O): O {
  return options.force === undefined ? { ...options, force: true } : options;
}
