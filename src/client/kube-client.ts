import {
  type AnyKind,
  apiVersionOf,
  type DeepReadonly,
  type Draft,
  isDiscovered,
  type Kind,
  type KubeObject,
  kindName,
  type New,
  type ObjectKey,
  parseKey,
} from "../api/index.ts";
import type { Clock, Rng } from "../base/index.ts";
import {
  type Impersonation,
  impersonationHeaders,
  isNotFound,
  type Transport,
  withHeaders,
} from "../transport/index.ts";
import { applyType, objectBody, patchBody } from "./body.ts";
import { Calls } from "./calls.ts";
import type { Client, StatusOf } from "./client.ts";
import { acceptFor, type Collection, type CollectionOptions, collectionOf } from "./collection.ts";
import { type Discovery, discover, type ServerVersion } from "./discovery.ts";
import { fetchJson } from "./fetch-json.ts";
import { KnownKinds } from "./known-kinds.ts";
import { type Listing, listPages, listWhole } from "./list-pages.ts";
import { lookUp } from "./look-up.ts";
import type {
  ApplyOptions,
  CallOptions,
  CreateOptions,
  DeleteAllOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  Page,
  Patch,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from "./options.ts";
import { type LogOptions, podLogs } from "./pod-logs.ts";
import { deleteBody, listQuery } from "./query.ts";
import { collectionPath, objectPath, withQuery } from "./resource-path.ts";
import { keptTo, keyIn, listNamespaceIn, type Scope } from "./scope.ts";
import { ObjectPart, type Place, type Subresource, type Subresources } from "./subresource.ts";
import { watch } from "./watch.ts";

export interface KubeClientOptions {
  readonly transport: Transport;
  readonly scope: Scope;
  /** Who owns the fields this client writes. */
  readonly fieldManager: string;
  /** Whom to act as. @default nobody but oneself */
  readonly impersonate?: Impersonation | undefined;
  /** Shared by the clients made from one another. @default none known */
  readonly kinds?: KnownKinds | undefined;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
}

/** The client over any transport. */
export class KubeClient implements Client {
  readonly namespace: string;
  readonly transport: Transport;
  readonly #options: KubeClientOptions;
  readonly #calls: Calls;
  readonly #kinds: KnownKinds;

  constructor(options: KubeClientOptions) {
    const { transport, scope, fieldManager, impersonate, kinds = new KnownKinds() } = options;
    this.namespace = scope.namespace;
    this.transport = impersonate ? withHeaders(transport, impersonationHeaders(impersonate)) : transport;
    this.#kinds = kinds;
    this.#options = { ...options, kinds };
    this.#calls = new Calls(this.transport, fieldManager);
  }

  async get<T extends KubeObject>(
    kind: AnyKind<T>,
    key: ObjectKey | string,
    options: GetOptions = {},
  ): Promise<T | undefined> {
    const known = await this.#known(kind, options);
    const { resourceVersion } = options;
    const path = withQuery(objectPath(known, this.#key(known, key)), { resourceVersion });
    try {
      return await this.#calls.call<T>("GET", path, { options, accept: acceptFor(known) });
    } catch (error) {
      if (isAbsence(error)) return undefined;
      throw error;
    }
  }

  async list<T extends KubeObject>(kind: AnyKind<T>, options: ListOptions = {}): Promise<T[]> {
    return listWhole(await this.#listing(kind, options));
  }

  async *pages<T extends KubeObject>(
    kind: AnyKind<T>,
    options: ListOptions = {},
  ): AsyncGenerator<Page<T>, void, void> {
    yield* listPages(await this.#listing(kind, options));
  }

  async *watch<T extends KubeObject>(
    kind: AnyKind<T>,
    options: WatchOptions = {},
  ): AsyncGenerator<WatchEvent<T>, void, void> {
    const { clock, rng } = this.#options;
    yield* watch({ ...(await this.#listing(kind, options)), options, clock, rng });
  }

  async create<T extends KubeObject>(
    kind: AnyKind<T>,
    object: New<NoInfer<T>>,
    options: CreateOptions = {},
  ): Promise<T> {
    const known = await this.#whole(kind, "create", options);
    const { owner, subresource } = options;
    const { name = "", namespace } = object.metadata;
    const place = this.#key(known, { name, namespace });
    const path = subresource ? objectPath(known, place) : collectionPath(known, place.namespace);
    const body = objectBody(known, object, { ...place, owner });
    return this.#calls.write("POST", path, { options, body });
  }

  async update<T extends KubeObject>(
    kind: AnyKind<T>,
    object: NoInfer<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    const known = await this.#whole(kind, "update", options);
    const key = this.#key(known, object.metadata);
    return this.#calls.write("PUT", objectPath(known, key), {
      options,
      body: objectBody(known, object, key),
    });
  }

  async patch<T extends KubeObject>(
    kind: AnyKind<T>,
    key: ObjectKey | string,
    patch: Patch,
    options: WriteOptions = {},
  ): Promise<T> {
    const known = await this.#known(kind, options);
    const path = objectPath(known, this.#key(known, key));
    const { body, type } = patchBody(patch);
    return this.#calls.write("PATCH", path, { options, body, type, accept: acceptFor(known) });
  }

  async apply<T extends KubeObject>(
    kind: AnyKind<T>,
    object: Draft<NoInfer<T>>,
    options: ApplyOptions = {},
  ): Promise<T> {
    const known = await this.#whole(kind, "apply", options);
    const key = this.#key(known, object.metadata);
    const { owner } = options;
    const body = objectBody(known, object, { ...key, owner });
    return this.#calls.write("PATCH", objectPath(known, key), { options, body, type: applyType });
  }

  async applyStatus<T extends KubeObject>(
    kind: AnyKind<T>,
    to: ObjectKey | string | DeepReadonly<NoInfer<T>>,
    status: StatusOf<NoInfer<T>>,
    options: Omit<ApplyOptions, "owner" | "subresource"> = {},
  ): Promise<T> {
    const known = await this.#whole(kind, "applyStatus", options);
    const { uid, ...target } = this.#target(known, to);
    const metadata = uid === undefined ? target : { ...target, uid };
    const body = JSON.stringify({ apiVersion: apiVersionOf(known), kind: known.kind, metadata, status });
    const path = objectPath(known, target);
    return this.#calls.write("PATCH", path, { options, subresource: "status", body, type: applyType });
  }

  async delete<T extends KubeObject>(
    kind: AnyKind<T>,
    target: ObjectKey | string | DeepReadonly<NoInfer<T>>,
    options: DeleteOptions = {},
  ): Promise<void> {
    const known = await this.#known(kind, options);
    const { uid, ...key } = this.#target(known, target);
    const body = deleteBody({ ...options, uid: options.uid ?? uid });
    try {
      await this.#calls.call("DELETE", objectPath(known, key), { options, body });
    } catch (error) {
      if (!isAbsence(error)) throw error;
    }
  }

  async deleteAll<T extends KubeObject>(kind: AnyKind<T>, options: DeleteAllOptions): Promise<void> {
    const known = await this.#known(kind, options);
    const namespace = listNamespaceIn(this.#options.scope, known, options.namespace);
    if (known.namespaced && namespace === undefined) {
      throw new TypeError(`expected a namespace to delete every ${kindName(known)} in, got none`);
    }
    const path = withQuery(collectionPath(known, namespace), listQuery(options));
    await this.#calls.call("DELETE", path, { options, body: deleteBody(options) });
  }

  subresource<S extends keyof Subresources>(
    kind: AnyKind,
    key: ObjectKey | string,
    name: S,
  ): Subresource<Subresources[S]> {
    const locate = async (options: CallOptions): Promise<Place> => {
      const known = await this.#known(kind, options);
      const place = this.#key(known, key);
      return { key: place, path: objectPath(known, place) };
    };
    return new ObjectPart(name, this.#calls, locate);
  }

  async *logs(pod: ObjectKey | string, options: LogOptions = {}): AsyncGenerator<string, void, void> {
    yield* podLogs(this.transport, `${objectPath(podKind, this.#key(podKind, pod))}/log`, options);
  }

  discover({ signal }: CallOptions = {}): Promise<Discovery> {
    return discover(this.transport, signal);
  }

  async resolve<T extends KubeObject>(kind: AnyKind<T>, { signal }: CallOptions = {}): Promise<Kind<T>> {
    if (isDiscovered(kind)) return kind;
    return this.#kinds.get(kind, () => lookUp(this.transport, kind), signal);
  }

  version({ signal }: CallOptions = {}): Promise<ServerVersion> {
    return fetchJson(this.transport, { method: "GET", path: "/version", signal });
  }

  async collection<T extends KubeObject>(
    kind: AnyKind<T>,
    options: CollectionOptions = {},
  ): Promise<Collection<T>> {
    const { kind: known, path } = await this.#listing(kind, options);
    return collectionOf(known, path, options);
  }

  inNamespace(namespace: string): Client {
    return new KubeClient({ ...this.#options, scope: keptTo(namespace, this.#options.scope) });
  }

  as(impersonate: Impersonation): Client {
    return new KubeClient({ ...this.#options, impersonate });
  }

  through(layer: (transport: Transport) => Transport): Client {
    return new KubeClient({ ...this.#options, transport: layer(this.#options.transport) });
  }

  close(): Promise<void> {
    return this.transport.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #known<T extends KubeObject>(kind: AnyKind<T>, options: CallOptions): Kind<T> | Promise<Kind<T>> {
    return isDiscovered(kind) ? kind : this.resolve(kind, options);
  }

  /** For writes that send a whole object, which a metadata-only kind does not have. */
  #whole<T extends KubeObject>(
    kind: AnyKind<T>,
    verb: string,
    options: CallOptions,
  ): Kind<T> | Promise<Kind<T>> {
    if (!kind.metadataOnly) return this.#known(kind, options);
    throw new TypeError(`expected whole objects to ${verb}, got ${kindName(kind)}; patch takes it`);
  }

  async #listing<T extends KubeObject>(kind: AnyKind<T>, options: ListOptions): Promise<Listing<T>> {
    const known = await this.#known(kind, options);
    const path = collectionPath(known, listNamespaceIn(this.#options.scope, known, options.namespace));
    return { transport: this.transport, kind: known, path, options };
  }

  #key(kind: Kind, key: ObjectKey | string): ObjectKey {
    return keyIn(this.#options.scope, kind, key);
  }

  /** A key as it is; of an object or its metadata, the key and the uid that makes it this one. */
  #target(kind: Kind, target: string | Named): Identity {
    const named: Identity = parseKey<Identity>(isObject(target) ? target.metadata : target);
    const key = this.#key(kind, named);
    return named.uid === undefined ? key : { ...key, uid: named.uid };
  }
}

type Identity = ObjectKey & { readonly uid?: string | undefined };
type Named = Identity | { readonly metadata: Identity };

function isObject(target: string | Named): target is { readonly metadata: Identity } {
  return typeof target === "object" && target !== null && "metadata" in target;
}

/** Whether the object is what was not found: a kind or path that is not served has no name in its answer. */
function isAbsence(error: unknown): boolean {
  return isNotFound(error) && error.details?.name !== undefined;
}

const podKind: Kind = { group: "", version: "v1", kind: "Pod", plural: "pods", namespaced: true };
