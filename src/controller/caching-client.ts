import {
  type AnyKind,
  type DeepReadonly,
  type Draft,
  isDiscovered,
  type Kind,
  type KubeObject,
  type New,
  type ObjectKey,
  parseKey,
} from "../api/index.ts";
import type { Lister } from "../cache/index.ts";
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
import type { DeclaredCache } from "./declared-cache.ts";

export interface CachingClientOptions {
  readonly live: Client;
  readonly cache: DeclaredCache;
  /** Refuses to read kinds that nobody has declared, instead of asking the server. @default false */
  readonly strict?: boolean | undefined;
}

/**
 * Reads what is declared from the cache, own writes included, and everything else from the server; writes to the server.
 * It starts no informer: what is not declared is not cached.
 *
 * Applies take fields from other managers unless told otherwise: a controller is there to bring the world to what is asked
 * for, also after somebody else has changed it.
 */
export class CachingClient implements Client {
  readonly #live: Client;
  readonly #cache: DeclaredCache;
  readonly #strict: boolean;

  constructor({ live, cache, strict = false }: CachingClientOptions) {
    this.#live = live;
    this.#cache = cache;
    this.#strict = strict;
  }

  get namespace(): string {
    return this.#live.namespace;
  }

  get transport(): Client["transport"] {
    return this.#live.transport;
  }

  async get<T extends KubeObject>(
    kind: AnyKind<T>,
    key: ObjectKey | string,
    options: GetOptions = {},
  ): Promise<T | undefined> {
    const lister = options.resourceVersion === undefined ? this.#cached(kind) : undefined;
    return lister ? lister.get(this.#whole(kind, key)) : this.#live.get(kind, key, options);
  }

  async list<T extends KubeObject>(kind: AnyKind<T>, options: ListOptions = {}): Promise<T[]> {
    const { fields, resourceVersion, managedFields } = options;
    const special = fields !== undefined || resourceVersion !== undefined || managedFields;
    const lister = special ? undefined : this.#cached(kind);
    return lister ? lister.list(options) : this.#live.list(kind, options);
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
    return this.#wrote(kind, await this.#live.create(kind, object, options), options);
  }

  async update<T extends KubeObject>(
    kind: AnyKind<T>,
    object: NoInfer<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    return this.#wrote(kind, await this.#live.update(kind, object, options), options);
  }

  async patch<T extends KubeObject>(
    kind: AnyKind<T>,
    key: ObjectKey | string,
    patch: Patch,
    options: WriteOptions = {},
  ): Promise<T> {
    return this.#wrote(kind, await this.#live.patch(kind, key, patch, options), options);
  }

  async apply<T extends KubeObject>(
    kind: AnyKind<T>,
    object: Draft<NoInfer<T>>,
    options: ApplyOptions = {},
  ): Promise<T> {
    return this.#wrote(kind, await this.#live.apply(kind, object, forced(options)), options);
  }

  async applyStatus<T extends KubeObject>(
    kind: AnyKind<T>,
    target: ObjectKey | string | DeepReadonly<NoInfer<T>>,
    status: StatusOf<NoInfer<T>>,
    options: Omit<ApplyOptions, "owner" | "subresource"> = {},
  ): Promise<T> {
    return this.#wrote(kind, await this.#live.applyStatus(kind, target, status, forced(options)), options);
  }

  async delete<T extends KubeObject>(
    kind: AnyKind<T>,
    target: ObjectKey | string | DeepReadonly<NoInfer<T>>,
    options: DeleteOptions = {},
  ): Promise<void> {
    const before = options.dryRun ? undefined : this.#seen(kind, target);
    await this.#live.delete(kind, target, options);
    if (before && goesAtOnce(before, options)) this.#cache.deleted(kind, before);
    else if (before) await this.#stays(kind, before);
  }

  deleteAll<T extends KubeObject>(kind: AnyKind<T>, options: DeleteAllOptions): Promise<void> {
    return this.#live.deleteAll(kind, options);
  }

  subresource<S extends keyof Subresources>(
    kind: AnyKind,
    key: ObjectKey | string,
    name: S,
  ): Subresource<Subresources[S]> {
    return this.#live.subresource(kind, key, name);
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

  /** Without the cache, which has other namespaces too. */
  inNamespace(namespace: string): Client {
    return this.#live.inNamespace(namespace);
  }

  /** Without the cache, which has what somebody else may not see. */
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
    return new CachingClient({ live: this.#live.through(layer), cache: this.#cache, strict: this.#strict });
  }

  #cached<T extends KubeObject>(kind: AnyKind<T>): Lister<T> | undefined {
    return this.#strict ? this.#cache.of(kind) : this.#cache.find(kind);
  }

  /** The key as the cache has it: with the client's namespace where it names none. */
  #whole(kind: AnyKind, key: ObjectKey | string): ObjectKey {
    const { name, namespace = this.namespace } = typeof key === "string" ? parseKey(key) : key;
    return isDiscovered(kind) && !kind.namespaced ? { name } : { name, namespace };
  }

  #wrote<T extends KubeObject>(kind: AnyKind<T>, object: T, { dryRun, subresource }: WriteOptions): T {
    if (!dryRun && (subresource === undefined || subresource === "status")) this.#cache.wrote(kind, object);
    return object;
  }

  /** Deleted, and perhaps still there: the server knows. */
  async #stays<T extends KubeObject>(kind: AnyKind<T>, before: DeepReadonly<T>): Promise<void> {
    const now = await this.#live.get(kind, before.metadata);
    if (now?.metadata.uid === before.metadata.uid) this.#cache.wrote(kind, now);
    else this.#cache.deleted(kind, before);
  }

  /** The one that a deletion is of, as far as it is known: only that one is gone then. */
  #seen<T extends KubeObject>(
    kind: AnyKind<T>,
    target: ObjectKey | string | { readonly metadata: ObjectKey },
  ): DeepReadonly<T> | undefined {
    const key = typeof target === "object" && "metadata" in target ? target.metadata : target;
    return this.#cache.find(kind)?.view(this.#whole(kind, key));
  }
}

function forced<O extends Pick<ApplyOptions, "force">>(options: O): O {
  return options.force === undefined ? { ...options, force: true } : options;
}

/** Nothing has to happen first: no finalizer, no time that Pods are given to end. */
function goesAtOnce({ kind, metadata }: DeepReadonly<KubeObject>, { propagation }: DeleteOptions): boolean {
  const waits = metadata.finalizers?.length || propagation === "Foreground" || propagation === "Orphan";
  return !waits && kind !== "Pod";
}
