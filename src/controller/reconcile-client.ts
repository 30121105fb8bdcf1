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
import { recordRejection } from "./uncaught-errors.ts";

/** The reconcile that a client belongs to. */
export interface ClientOwner {
  /** The name of the controller. */
  readonly controller: string;
  readonly key: string;
  /** Returns how many requests its client has sent. */
  readonly requests: () => number;
}

/**
 * The client of one reconcile. It records which line called it when a call rejects, for `nameReconciles`: the stack of the
 * error ends in the client if the caller does not await it.
 *
 * Only calls that send a request record their caller, which takes a few microseconds: reads from the cache do not.
 * `pages`, `watch` and `logs` do not either: their caller awaits each item, so the stack of an error names it.
 */
export class ReconcileClient implements Client {
  readonly #client: Client;
  readonly #owner: ClientOwner;

  constructor(client: Client, owner: ClientOwner) {
    this.#client = client;
    this.#owner = owner;
  }

  get namespace(): string {
    return this.#client.namespace;
  }

  get fieldManager(): string {
    return this.#client.fieldManager;
  }

  get transport(): Client["transport"] {
    return this.#client.transport;
  }

  get<T extends KubeObject>(
    kind: AnyKind<T>,
    key: ObjectKey | string,
    options?: GetOptions,
  ): Promise<T | undefined> {
    const before = this.#owner.requests();
    const call = this.#client.get(kind, key, options);
    return this.#isFromCache(kind, before) ? call : this.#recorded(call, this.get);
  }

  list<T extends KubeObject>(kind: AnyKind<T>, options?: ListOptions): Promise<T[]> {
    const before = this.#owner.requests();
    const call = this.#client.list(kind, options);
    return this.#isFromCache(kind, before) ? call : this.#recorded(call, this.list);
  }

  pages<T extends KubeObject>(kind: AnyKind<T>, options?: ListOptions): AsyncIterable<Page<T>> {
    return this.#client.pages(kind, options);
  }

  watch<T extends KubeObject>(kind: AnyKind<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>> {
    return this.#client.watch(kind, options);
  }

  create<T extends KubeObject>(
    kind: AnyKind<T>,
    object: New<NoInfer<T>>,
    options?: CreateOptions,
  ): Promise<T> {
    return this.#recorded(this.#client.create(kind, object, options), this.create);
  }

  update<T extends KubeObject>(kind: AnyKind<T>, object: NoInfer<T>, options?: WriteOptions): Promise<T> {
    return this.#recorded(this.#client.update(kind, object, options), this.update);
  }

  patch<T extends KubeObject>(
    kind: AnyKind<T>,
    key: ObjectKey | string,
    patch: Patch,
    options?: WriteOptions,
  ): Promise<T> {
    return this.#recorded(this.#client.patch(kind, key, patch, options), this.patch);
  }

  apply<T extends KubeObject>(
    kind: AnyKind<T>,
    object: Draft<NoInfer<T>>,
    options?: ApplyOptions,
  ): Promise<T> {
    return this.#recorded(this.#client.apply(kind, object, options), this.apply);
  }

  applyStatus<T extends KubeObject>(
    kind: AnyKind<T>,
    target: ObjectKey | string | DeepReadonly<NoInfer<T>>,
    status: StatusOf<NoInfer<T>>,
    options?: Omit<ApplyOptions, "owner" | "subresource">,
  ): Promise<T> {
    return this.#recorded(this.#client.applyStatus(kind, target, status, options), this.applyStatus);
  }

  delete<T extends KubeObject>(
    kind: AnyKind<T>,
    target: ObjectKey | string | DeepReadonly<NoInfer<T>>,
    options?: DeleteOptions,
  ): Promise<T | undefined> {
    return this.#recorded(this.#client.delete(kind, target, options), this.delete);
  }

  deleteAll<T extends KubeObject>(kind: AnyKind<T>, options: DeleteAllOptions): Promise<void> {
    return this.#recorded(this.#client.deleteAll(kind, options), this.deleteAll);
  }

  subresource<S extends keyof Subresources>(
    kind: AnyKind,
    key: ObjectKey | string,
    name: S,
  ): Subresource<Subresources[S]> {
    const part = this.#client.subresource(kind, key, name);
    const recorded: Subresource<Subresources[S]> = {
      get: (options) => this.#recorded(part.get(options), recorded.get),
      create: (body, options) => this.#recorded(part.create(body, options), recorded.create),
      update: (body, options) => this.#recorded(part.update(body, options), recorded.update),
      patch: (patch, options) => this.#recorded(part.patch(patch, options), recorded.patch),
      apply: (body, options) => this.#recorded(part.apply(body, options), recorded.apply),
    };
    return recorded;
  }

  logs(pod: ObjectKey | string, options?: LogOptions): AsyncIterable<string> {
    return this.#client.logs(pod, options);
  }

  discover(options?: CallOptions): Promise<Discovery> {
    return this.#recorded(this.#client.discover(options), this.discover);
  }

  resolve<T extends KubeObject>(kind: AnyKind<T>, options?: CallOptions): Promise<Kind<T>> {
    return this.#recorded(this.#client.resolve(kind, options), this.resolve);
  }

  version(options?: CallOptions): Promise<ServerVersion> {
    return this.#recorded(this.#client.version(options), this.version);
  }

  collection<T extends KubeObject>(kind: AnyKind<T>, options?: CollectionOptions): Promise<Collection<T>> {
    return this.#recorded(this.#client.collection(kind, options), this.collection);
  }

  inNamespace(namespace: string): Client {
    return new ReconcileClient(this.#client.inNamespace(namespace), this.#owner);
  }

  as(identity: Impersonation): Client {
    return new ReconcileClient(this.#client.as(identity), this.#owner);
  }

  withFieldManager(fieldManager: string, options?: FieldManagerOptions): Client {
    return new ReconcileClient(this.#client.withFieldManager(fieldManager, options), this.#owner);
  }

  through(layer: Parameters<Client["through"]>[0]): Client {
    return new ReconcileClient(this.#client.through(layer), this.#owner);
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Whether a read has sent no request and will send none. A kind that has to be looked up may be asked for later. */
  #isFromCache(kind: AnyKind, requestsBefore: number): boolean {
    return this.#owner.requests() === requestsBefore && isDiscovered(kind);
  }

  /** @param method The method that was called. Its caller is the first frame of the recorded stack. */
  async #recorded<R>(call: Promise<R>, method: Method): Promise<R> {
    const site = callSite(method);
    try {
      return await call;
    } catch (error) {
      const { controller, key } = this.#owner;
      recordRejection(error, { controller, key, site });
      throw error;
    }
  }
}

type Method = (...args: never[]) => unknown;

/** Captures the stack above a method. Node formats it when it is first read, which most never are. */
function callSite(method: Method): Pick<Error, "stack"> {
  const { stackTraceLimit } = Error;
  const site: Pick<Error, "stack"> = {};
  Error.stackTraceLimit = maxFrames;
  Error.captureStackTrace(site, method);
  Error.stackTraceLimit = stackTraceLimit;
  return site;
}

/** Helpers in packages may stand between a reconcile and its client. Each frame costs time. */
const maxFrames = 3;
