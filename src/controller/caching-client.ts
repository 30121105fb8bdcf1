import {
  type AnyKind,
  type DeepReadonly,
  type Draft,
  isDiscovered,
  type Kind,
  type KubeObject,
  keyText,
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
import type { Write, WriteObserver, WriteVerb } from "../detector/index.ts";
import { abortableRequests } from "./abortable-requests.ts";
import type { DeclaredCache } from "./declared-cache.ts";
import { isOwnDoing } from "./is-own-doing.ts";
import { versionOf, WrittenPart } from "./written-part.ts";

export interface CachingClientOptions {
  readonly live: Client;
  readonly cache: DeclaredCache;
  /** Refuses to read kinds that nobody has declared, instead of asking the server. @default false */
  readonly strict?: boolean | undefined;
  /** Is told of what is written, but for dry runs. @default nobody */
  readonly observer?: WriteObserver | undefined;
  /** Aborts every request to the server. Called when one is sent; reads from the cache do not call it. @default none */
  readonly signal?: (() => AbortSignal) | undefined;
}

/**
 * Reads what is declared from the cache, own writes included, and everything else from the server; writes to the server.
 * It starts no informer: what is not declared is not cached. What a cache cannot answer (field selectors, a certain version,
 * managedFields) goes to the server too.
 *
 * Applies take fields from other managers unless told otherwise: a controller is there to bring the world to what is asked
 * for, also after somebody else has changed it.
 */
export class CachingClient implements Client {
  /** The client as it was given: its requests do not abort with `#signal`. */
  readonly #given: Client;
  /** The same, with requests that abort with `#signal`. Made for the first request. */
  #abortable: Client | undefined;
  readonly #cache: DeclaredCache;
  readonly #strict: boolean;
  readonly #observer: WriteObserver | undefined;
  readonly #signal: (() => AbortSignal) | undefined;

  constructor({ live, cache, strict = false, observer, signal }: CachingClientOptions) {
    this.#given = live;
    this.#signal = signal;
    this.#cache = cache;
    this.#strict = strict;
    this.#observer = observer;
  }

  /** The same client for one reconcile: `observer` sees its writes, and its requests abort with `signal`. */
  forReconcile(options: Pick<CachingClientOptions, "observer" | "signal">): CachingClient {
    return new CachingClient({ live: this.#given, cache: this.#cache, strict: this.#strict, ...options });
  }

  /** Sends requests. */
  get #live(): Client {
    const signal = this.#signal;
    if (!signal) return this.#given;
    this.#abortable ??= this.#given.through((transport) => abortableRequests(transport, signal));
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
    const whole = this.#whole(kind, key);
    const lister = this.#cached(kind, whole.namespace);
    const special = options.resourceVersion !== undefined;
    return lister && !special ? this.#cache.get(kind, whole) : this.#live.get(kind, key, options);
  }

  async list<T extends KubeObject>(kind: AnyKind<T>, options: ListOptions = {}): Promise<T[]> {
    const { fields, resourceVersion, managedFields } = options;
    const special = fields !== undefined || resourceVersion !== undefined || managedFields;
    const lister = this.#cached(kind, options.namespace);
    return lister && !special ? lister.list(options) : this.#live.list(kind, options);
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
  ): Promise<void> {
    // Only the one that is known is gone then.
    const before = options.dryRun
      ? undefined
      : this.#cache.known(kind, this.#whole(kind, keyOfTarget(target)));
    const send = async (): Promise<undefined> => void (await this.#live.delete(kind, target, options));
    await this.#observed({ verb: "delete", kind, target: keyOfTarget(target) }, options, send);
    if (before && goesAtOnce(kind, before, options)) this.#cache.deleted(kind, before);
    else if (before) await this.#stays(kind, before);
  }

  async deleteAll<T extends KubeObject>(kind: AnyKind<T>, options: DeleteAllOptions): Promise<void> {
    const { namespace, labels, dryRun } = options;
    const before = dryRun ? [] : this.#cache.allKnown(kind, { namespace, labels });
    await this.#live.deleteAll(kind, options);
    if (before.length === 0) return;
    const left = await this.#live.list(kind, { namespace, labels }); // which they were, and who waits: the server knows
    const uids = new Set(left.map(({ metadata }) => metadata.uid));
    for (const object of left) this.#cache.wrote(kind, object, { own: false });
    for (const object of before) if (!uids.has(object.metadata.uid)) this.#cache.deleted(kind, object);
  }

  subresource<S extends keyof Subresources>(
    kind: AnyKind,
    key: ObjectKey | string,
    name: S,
  ): Subresource<Subresources[S]> {
    const part = this.#live.subresource(kind, key, name);
    if (name === "token") return part; // which changes nothing of the object
    return new WrittenPart(part, (answer) => this.#wrotePart(kind, key, versionOf(answer)));
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

  #cached<T extends KubeObject>(kind: AnyKind<T>, namespace: string | undefined): Lister<T> | undefined {
    return this.#strict ? this.#cache.of(kind, namespace) : this.#cache.find(kind, namespace);
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
    if (subresource !== undefined && subresource !== "status")
      return this.#writePart(written, () => send({}));
    const before = this.#before(written);
    let bytes: Buffer | undefined;
    const onAnswer = (body: Buffer): void => {
      bytes = body;
      options.onAnswer?.(body);
    };
    const after = await this.#observed({ ...written, before }, options, () => send({ onAnswer }));
    const own = !before || isOwnDoing({ sent: saidBy(written), before, after });
    this.#cache.wrote(written.kind, after, { own, bytes });
    if (written.kind.metadataOnly) await this.#askWhole(written.kind, after);
    return after;
  }

  async #writePart<T extends KubeObject>({ kind, target }: Written<T>, send: () => Promise<T>): Promise<T> {
    const answer = await send();
    const { name, namespace } = typeof target === "string" ? parseKey(target) : target;
    if (name !== undefined) await this.#wrotePart(kind, { name, namespace }, versionOf(answer));
    return answer;
  }

  /** A part was written, whose answer does not say the rest: that is asked for, where it is watched. */
  async #wrotePart(kind: AnyKind, key: ObjectKey | string, version: string | undefined): Promise<void> {
    const whole: AnyKind = { ...kind, metadataOnly: undefined };
    const before = this.#cache.known(whole, this.#whole(kind, key));
    if (before) await this.#stays(whole, before, version);
  }

  /** What was patched by its metadata is asked for, where it is watched whole. */
  async #askWhole(kind: AnyKind, { metadata }: KubeObject): Promise<void> {
    const whole: AnyKind = { ...kind, metadataOnly: undefined };
    const now = this.#cache.find(whole) && (await this.#live.get(whole, metadata));
    if (now) this.#cache.wrote(whole, now, { own: false }); // somebody may have been there since
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
      seen: () => before ?? (key && this.#seen(kind, key)),
      ask: async () => key && this.#live.get(kind, key),
    };
    return this.#observer.around(write, send);
  }

  /** Deleted, or written in part, and perhaps still there: the server knows. @param version that was made by it, if it is known */
  async #stays(kind: AnyKind, before: DeepReadonly<KubeObject>, version?: string): Promise<void> {
    const now = await this.#live.get(kind, before.metadata);
    const own = version === undefined || version === now?.metadata.resourceVersion;
    if (now?.metadata.uid === before.metadata.uid) this.#cache.wrote(kind, now, { own });
    else this.#cache.deleted(kind, before);
  }

  /** As the cache of this kind has it. */
  #seen<T extends KubeObject>(
    kind: AnyKind<T>,
    target: ObjectKey | string | { readonly metadata: ObjectKey },
  ): DeepReadonly<T> | undefined {
    return this.#cache.find(kind)?.glance(this.#whole(kind, keyOfTarget(target)));
  }
}

/** Sends a write, with its options and these. */
type Send<T> = (told: Pick<WriteOptions, "onAnswer">) => Promise<T>;

interface Written<T extends KubeObject> {
  readonly verb: WriteVerb;
  readonly kind: AnyKind<T>;
  /** Without a name where the server makes it. */
  readonly target: string | { readonly name?: string | undefined; readonly namespace?: string | undefined };
  readonly sent?: unknown;
  /** As it was known, where that was looked up. */
  readonly before?: DeepReadonly<T> | undefined;
}

/** What is to be so after it. An update says what is to be absent too, by leaving it out; a list of steps says nothing. */
function saidBy({ verb, sent }: Pick<Written<KubeObject>, "verb" | "sent">): unknown {
  if (verb === "apply") return sent;
  return verb === "patch" && typeof sent === "object" && sent !== null && "merge" in sent
    ? sent.merge
    : undefined;
}

function keyOfTarget(target: ObjectKey | string | { readonly metadata: ObjectKey }): ObjectKey | string {
  return typeof target === "object" && target !== null && "metadata" in target ? target.metadata : target;
}

function forced<O extends Pick<ApplyOptions, "force">>(options: O): O {
  return options.force === undefined ? { ...options, force: true } : options;
}

/** Nothing has to happen first: no finalizer, no time that Pods are given to end. */
function goesAtOnce(
  { kind }: AnyKind,
  { metadata }: DeepReadonly<KubeObject>,
  { propagation }: DeleteOptions,
): boolean {
  const waits = metadata.finalizers?.length || propagation === "Foreground" || propagation === "Orphan";
  return !waits && kind !== "Pod";
}
