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
import { askServer, type DeclaredCache } from "./declared-cache.ts";
import { isOwnWrite } from "./is-own-write.ts";
import { merged } from "./merged-lister.ts";
import type { RequestScope } from "./request-scope.ts";
import {
  forced,
  isBound,
  isMarkedForDeletion,
  isOf,
  keyOfTarget,
  listsOf,
  saidBy,
  versionOf,
  type Written,
  type WrittenSubresource,
} from "./write-responses.ts";
import { WrittenPart } from "./written-part.ts";

export interface CachingClientOptions {
  readonly live: Client;
  readonly cache: DeclaredCache;
  /** Refuses to read kinds that nobody has declared, instead of asking the server. @default false */
  readonly strict?: boolean | undefined;
  /** Is told of what is written, but for dry runs. @default nobody */
  readonly observer?: WriteObserver | undefined;
  /** The reconcile that requests to the server belong to, and abort with. @default none */
  readonly scope?: RequestScope | undefined;
}

/**
 * Reads what is declared from the cache, own writes included, and everything else from the server; writes to the server.
 * It starts no informer: what is not declared is not cached. What a cache cannot answer (field selectors, a certain version,
 * managedFields) goes to the server too, and so do reads of a view that has not synced, or does not show an own write yet.
 *
 * Applies take fields from other managers unless told otherwise: a controller is there to bring the world to what is asked
 * for, also after somebody else has changed it.
 */
export class CachingClient implements Client {
  /** The client as it was given: its requests do not belong to `#scope`. */
  readonly #given: Client;
  /** The same, with requests that belong to `#scope`. Made for the first request. */
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

  /** Returns the same client for one reconcile: `observer` sees its writes, and its requests belong to `scope`. */
  forReconcile(options: Pick<CachingClientOptions, "observer" | "scope">): CachingClient {
    return new CachingClient({ live: this.#given, cache: this.#cache, strict: this.#strict, ...options });
  }

  /** Sends requests. */
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
    const known = isDiscovered(kind) ? kind : await this.#live.resolve(kind, options);
    const whole = this.#whole(known, key);
    const special = options.resourceVersion !== undefined;
    if (!this.#isCached(kind, whole.namespace) || special) return this.#live.get(kind, key, options);
    const found = this.#cache.get(kind, whole);
    return found === askServer ? this.#live.get(kind, key, options) : found;
  }

  async list<T extends KubeObject>(kind: AnyKind<T>, options: ListOptions = {}): Promise<T[]> {
    const { fields, resourceVersion, managedFields } = options;
    const special = fields !== undefined || resourceVersion !== undefined || managedFields;
    if (!this.#isCached(kind, options.namespace) || special) return this.#live.list(kind, options);
    const listed = this.#cache.list(kind, options);
    if (!listed) return this.#live.list(kind, options);
    const { cached, unknown } = listed;
    if (cached && unknown.length === 0) return cached.toArray();
    const parts = unknown.flatMap((view) => listsOf(view, options));
    const asked = parts.map((part) => this.#live.list(kind, part));
    return merged(await Promise.all([cached?.toArray() ?? [], ...asked]));
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
    const send: Send<T> = (told) => this.#live.create(kind, object, { ...options, ...told });
    const written = { verb: "create", kind, target: object.metadata, sent: object } as const;
    return this.#write(written, options, send);
  }

  async update<T extends KubeObject>(
    kind: AnyKind<T>,
    object: NoInfer<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    const send: Send<T> = (told) => this.#live.update(kind, object, { ...options, ...told });
    return this.#write({ verb: "update", kind, target: object.metadata, sent: object }, options, send);
  }

  async patch<T extends KubeObject>(
    kind: AnyKind<T>,
    key: ObjectKey | string,
    patch: Patch,
    options: WriteOptions = {},
  ): Promise<T> {
    const send: Send<T> = (told) => this.#live.patch(kind, key, patch, { ...options, ...told });
    return this.#write({ verb: "patch", kind, target: key, sent: patch }, options, send);
  }

  async apply<T extends KubeObject>(
    kind: AnyKind<T>,
    object: Draft<NoInfer<T>>,
    options: ApplyOptions = {},
  ): Promise<T> {
    const send: Send<T> = (told) => this.#live.apply(kind, object, { ...forced(options), ...told });
    return this.#write({ verb: "apply", kind, target: object.metadata, sent: object }, options, send);
  }

  async applyStatus<T extends KubeObject>(
    kind: AnyKind<T>,
    target: ObjectKey | string | DeepReadonly<NoInfer<T>>,
    status: StatusOf<NoInfer<T>>,
    options: Omit<ApplyOptions, "owner" | "subresource"> = {},
  ): Promise<T> {
    const send: Send<T> = (told) =>
      this.#live.applyStatus(kind, target, status, { ...forced(options), ...told });
    const written = { verb: "apply", kind, target: keyOfTarget(target), sent: { status } } as const;
    return this.#write(written, { ...options, subresource: "status" }, send);
  }

  async delete<T extends KubeObject>(
    kind: AnyKind<T>,
    target: ObjectKey | string | DeepReadonly<NoInfer<T>>,
    options: DeleteOptions = {},
  ): Promise<T | undefined> {
    const written: Written<T> = { verb: "delete", kind, target: keyOfTarget(target) };
    if (options.dryRun) return this.#live.delete(kind, target, options);
    const known = isDiscovered(kind) ? kind : await this.#live.resolve(kind, options);
    const take = this.#cache.deleting(kind, this.#whole(known, keyOfTarget(target)));
    let body: Buffer | undefined;
    const onResponseBody = (bytes: Buffer): void => {
      body = bytes;
      options.onResponseBody?.(bytes);
    };
    const stays = await this.#observed(written, options, () =>
      this.#live.delete(kind, target, { ...options, onResponseBody }),
    );
    take(body);
    return stays;
  }

  async deleteAll<T extends KubeObject>(kind: AnyKind<T>, options: DeleteAllOptions): Promise<void> {
    let body: Buffer | undefined;
    const onResponseBody = (bytes: Buffer): void => {
      body = bytes;
      options.onResponseBody?.(bytes);
    };
    const sent = this.#cache.sending(kind);
    await this.#live.deleteAll(kind, { ...options, onResponseBody });
    if (body && !options.dryRun) this.#cache.deletedAll(kind, body, sent);
  }

  subresource<S extends keyof Subresources>(
    kind: AnyKind,
    key: ObjectKey | string,
    name: S,
  ): Subresource<Subresources[S]> {
    const part = this.#live.subresource(kind, key, name);
    if (name === "token") return part; // it does not change the object
    return new WrittenPart(part, () => {
      const sent = this.#cache.sending(kind);
      return (response) => this.#wrotePart(kind, key, { name, response, sent });
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

  /** The key as the cache has it: with the client's namespace where it names none. */
  #whole(kind: AnyKind, key: ObjectKey | string): ObjectKey {
    const { name, namespace = this.namespace } = parseKey(key);
    return isDiscovered(kind) && !kind.namespaced ? { name } : { name, namespace };
  }

  /** Writes, and knows from then on what was answered. */
  async #write<T extends KubeObject>(written: Written<T>, options: WriteOptions, send: Send<T>): Promise<T> {
    const { dryRun, subresource } = options;
    if (dryRun) return send({});
    const sent = this.#cache.sending(written.kind);
    if (subresource !== undefined && subresource !== "status") {
      const response = await send({});
      this.#wrotePartOf(written, { name: subresource, response, sent });
      return response;
    }
    const before = this.#before(written);
    let bytes: Buffer | undefined;
    const onResponseBody = (body: Buffer): void => {
      bytes = body;
      options.onResponseBody?.(body);
    };
    const after = await this.#observed({ ...written, before }, options, () => send({ onResponseBody }));
    const own = !before || isOwnWrite({ sent: saidBy(written), before, after });
    this.#cache.wrote(written.kind, after, { own, bytes, sent });
    if (written.kind.metadataOnly) {
      const key = after.metadata;
      this.#cache.changed(written.kind, { key, pending: after.metadata, wholeOnly: true, sent });
    }
    return after;
  }

  #wrotePartOf({ kind, target }: Written<KubeObject>, written: WrittenSubresource): void {
    const { name, namespace } = typeof target === "string" ? parseKey(target) : target;
    if (name !== undefined) this.#wrotePart(kind, { name, namespace }, written);
  }

  /** A subresource was written. Some responses have the whole object, others not even its version. */
  #wrotePart(kind: AnyKind, key: ObjectKey | string, { name, response, sent }: WrittenSubresource): void {
    const whole: AnyKind = { ...kind, metadataOnly: undefined };
    if (isOf(whole, response)) return this.#cache.wrote(whole, response, { sent });
    const place = this.#whole(kind, key);
    const resourceVersion = versionOf(response);
    if (resourceVersion !== undefined) {
      return this.#cache.changed(kind, { key: place, pending: { resourceVersion }, sent });
    }
    const known = this.#cache.glance(whole, place) ?? this.#cache.glance(metadataOnly(kind), place);
    const isBinding = name === "binding";
    const isDone = isBinding ? isBound : isMarkedForDeletion;
    const isVisible = (newest: DeepReadonly<KubeObject> | undefined): boolean =>
      newest === undefined || newest.metadata.uid !== known?.metadata.uid || isDone(newest);
    this.#cache.changed(kind, { key: place, pending: { isVisible }, wholeOnly: isBinding, sent });
  }

  /** As it is known, where it has a name and is not to be made. */
  #before<T extends KubeObject>({ verb, kind, target }: Written<T>): DeepReadonly<T> | undefined {
    const { name, namespace } = typeof target === "string" ? parseKey(target) : target;
    return verb === "create" || name === undefined ? undefined : this.#seen(kind, { name, namespace });
  }

  async #observed<T extends KubeObject, A extends T | undefined>(
    { verb, kind, target, sent, before }: Written<T>,
    { dryRun, subresource }: WriteOptions,
    send: () => Promise<A>,
  ): Promise<A> {
    if (!this.#observer || dryRun) return send();
    const { name, namespace } = typeof target === "string" ? parseKey(target) : target;
    const key = name === undefined ? undefined : this.#whole(kind, { name, namespace });
    const write: Write = {
      verb,
      kind: kind.kind,
      key: key && keyText(key),
      sent,
      subresource,
      cached: () => before ?? (key && this.#seen(kind, key)),
      fetch: async () => key && this.#live.get(kind, key),
    };
    return this.#observer.around(write, send);
  }

  /** As the cache of this kind has it. */
  #seen<T extends KubeObject>(
    kind: AnyKind<T>,
    target: ObjectKey | string | { readonly metadata: ObjectKey },
  ): DeepReadonly<T> | undefined {
    return this.#cache.glance(kind, this.#whole(kind, keyOfTarget(target)));
  }
}

/** Sends a write, with its options and these. */
type Send<T> = (told: Pick<WriteOptions, "onResponseBody">) => Promise<T>;
