import {
  type AnyKind,
  apiVersionOf,
  type DeepReadonly,
  type Draft,
  type Kind,
  type KubeObject,
  kindName,
  type New,
  type ObjectKey,
  parseKey,
  type Status,
} from "../api/index.ts";
import type { Clock, Metrics, Rng } from "../base/index.ts";
import {
  type Impersonation,
  impersonationHeaders,
  type RequestMeter,
  type Transport,
  withHeaders,
} from "../transport/index.ts";
import { completedStatus } from "./applied-conditions.ts";
import { Calls, type WriteBody } from "./calls.ts";
import type { AppliedStatus, Client, StatusPatch } from "./client.ts";
import { acceptFor, type Collection, type CollectionOptions, collectionOf, listQuery } from "./collection.ts";
import { ConditionSchemas } from "./condition-schemas.ts";
import { remainingOf } from "./deletion.ts";
import { type Discovery, discover, type ServerVersion } from "./discovery.ts";
import { fetchJson } from "./fetch-json.ts";
import { checkFieldManager } from "./field-manager.ts";
import { KindResolver, KnownKinds } from "./kind-resolver.ts";
import { type Listing, listAll, listPages } from "./list-pages.ts";
import { migrate } from "./migrate.ts";
import { isObjectNotFound } from "./object-not-found.ts";
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
import type { JsonPatchStep, Patch } from "./patch.ts";
import { type LogOptions, podLogs } from "./pod-logs.ts";
import { type AttachOptions, checkCommand, type ExecOptions, remoteCommand } from "./remote-command.ts";
import type { RemoteSession } from "./remote-session.ts";
import { applyType, deleteBody, jsonBody, objectBody, patchBody } from "./request-body.ts";
import { requireFullObject } from "./require-full-object.ts";
import { collectionPath, objectPath, withQuery } from "./resource-path.ts";
import { keyIn, listNamespaceIn, requireAllNamespaces, restrictTo, type Scope } from "./scope.ts";
import {
  type SendToObject,
  type Subresource,
  SubresourceClient,
  type SubresourceName,
  type SubresourceOf,
} from "./subresource.ts";
import { applyTakingOver } from "./take-over.ts";
import { watch } from "./watch.ts";

export interface KubeClientOptions {
  readonly transport: Transport;
  /** Measures the requests of `transport`, in all clients derived from one another. @default measures none */
  readonly meter?: RequestMeter | undefined;
  readonly scope: Scope;
  /** The field manager of this client's writes. The caller has checked it with `checkFieldManager`. */
  readonly fieldManager: string;
  /** The `takeOver` of applies without their own field manager. @default none */
  readonly takeOver?: readonly string[] | undefined;
  /** The user to impersonate. @default none */
  readonly impersonate?: Impersonation | undefined;
  /** Shared by all clients derived from one another. @default an empty cache */
  readonly kinds?: KnownKinds | undefined;
  /** Shared by all clients derived from one another. @default an empty cache */
  readonly conditionSchemas?: ConditionSchemas | undefined;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
}

/** The implementation of `Client` over any transport. */
export class KubeClient implements Client {
  readonly namespace: string;
  readonly fieldManager: string;
  readonly transport: Transport;
  readonly #options: KubeClientOptions & { readonly conditionSchemas: ConditionSchemas };
  readonly #calls: Calls;
  readonly #kinds: KindResolver;

  constructor(options: KubeClientOptions) {
    const { transport, scope, fieldManager, impersonate } = options;
    const { kinds = new KnownKinds(), conditionSchemas = new ConditionSchemas() } = options;
    this.namespace = scope.namespace;
    this.fieldManager = fieldManager;
    this.transport = impersonate ? withHeaders(transport, impersonationHeaders(impersonate)) : transport;
    this.#kinds = new KindResolver(this.transport, kinds);
    this.#options = { ...options, kinds, conditionSchemas };
    this.#calls = new Calls(this.transport, fieldManager);
  }

  async get<T extends KubeObject>(
    kind: AnyKind<T>,
    key: ObjectKey | string,
    options: GetOptions = {},
  ): Promise<T | undefined> {
    const { resourceVersion } = options;
    try {
      return await this.#kinds.send(kind, options, (known) => {
        const path = withQuery(objectPath(known, this.#key(known, key)), { resourceVersion });
        return this.#calls.call<T>("GET", path, { options, accept: acceptFor(known) });
      });
    } catch (error) {
      if (isObjectNotFound(error)) return undefined;
      throw error;
    }
  }

  async list<T extends KubeObject>(kind: AnyKind<T>, options: ListOptions = {}): Promise<T[]> {
    return this.#kinds.send(kind, options, (known) => listAll(this.#listing(known, options)));
  }

  async *pages<T extends KubeObject>(
    kind: AnyKind<T>,
    options: ListOptions = {},
  ): AsyncGenerator<Page<T>, void, void> {
    yield* this.#kinds.iterate(kind, options, (known) => listPages(this.#listing(known, options)));
  }

  async *watch<T extends KubeObject>(
    kind: AnyKind<T>,
    options: WatchOptions = {},
  ): AsyncGenerator<WatchEvent<T>, void, void> {
    const { clock, rng } = this.#options;
    yield* this.#kinds.iterate(kind, options, (known) =>
      watch({ ...this.#listing(known, options), options, clock, rng }),
    );
  }

  async create<T extends KubeObject>(
    kind: AnyKind<T>,
    object: New<NoInfer<T>>,
    options: CreateOptions = {},
  ): Promise<T> {
    const { owner, subresource } = options;
    const { name = "", namespace } = object.metadata;
    return this.#kinds.send(requireFullObject(kind, "create"), options, (known) => {
      const place = this.#key(known, { name, namespace });
      const path = subresource ? objectPath(known, place) : collectionPath(known, place.namespace);
      const body = objectBody(known, object, { ...place, owner });
      return this.#calls.write<T>("POST", path, { options, body });
    });
  }

  async update<T extends KubeObject>(
    kind: AnyKind<T>,
    object: NoInfer<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    return this.#kinds.send(requireFullObject(kind, "update"), options, (known) => {
      const key = this.#key(known, object.metadata);
      const body = objectBody(known, object, key);
      return this.#calls.write<T>("PUT", objectPath(known, key), { options, body });
    });
  }

  async patch<T extends KubeObject>(
    kind: AnyKind<T>,
    key: ObjectKey | string,
    patch: Patch<NoInfer<T>>,
    options: WriteOptions = {},
  ): Promise<T> {
    const { body, type } = patchBody(patch);
    return this.#kinds.send(kind, options, (known) => {
      const path = objectPath(known, this.#key(known, key));
      return this.#calls.write<T>("PATCH", path, { options, body, type, accept: acceptFor(known) });
    });
  }

  async apply<T extends KubeObject>(
    kind: AnyKind<T>,
    object: Draft<NoInfer<T>>,
    options: ApplyOptions = {},
  ): Promise<T> {
    const { owner } = options;
    return this.#kinds.send(requireFullObject(kind, "apply"), options, (known) => {
      const key = this.#key(known, object.metadata);
      const body = objectBody(known, object, { ...key, owner });
      return this.#apply<T>(objectPath(known, key), { options, body, type: applyType });
    });
  }

  async applyStatus<T extends KubeObject>(
    kind: AnyKind<T>,
    to: ObjectKey | string | DeepReadonly<NoInfer<T>>,
    status: AppliedStatus<NoInfer<T>>,
    options: ApplyStatusOptions = {},
  ): Promise<T> {
    return this.#kinds.send(requireFullObject(kind, "applyStatus"), options, async (known) => {
      const { uid, ...target } = this.#target(known, to);
      const metadata = uid === undefined ? target : { ...target, uid };
      const completed = await completedStatus(status, {
        schema: () => this.#options.conditionSchemas.get(this.transport, known, options.signal),
        read: () => this.get(kind, target, { signal: options.signal }),
        current: options.current,
        target: isObject(to) ? to.metadata : undefined,
        clock: this.#options.clock,
      });
      const sent = { apiVersion: apiVersionOf(known), kind: known.kind, metadata, status: completed };
      const path = objectPath(known, target);
      return this.#apply<T>(path, { options, subresource: "status", body: jsonBody(sent), type: applyType });
    });
  }

  async patchStatus<T extends KubeObject>(
    kind: AnyKind<T>,
    key: ObjectKey | string,
    status: StatusPatch<NoInfer<T>>,
    options: Omit<WriteOptions, "subresource"> = {},
  ): Promise<T> {
    const patch = { merge: { status } } as unknown as Patch<NoInfer<T>>; // the compiler cannot look into `T`
    return this.patch(kind, key, patch, { ...options, subresource: "status" });
  }

  async delete<T extends KubeObject>(
    kind: AnyKind<T>,
    target: ObjectKey | string | DeepReadonly<NoInfer<T>>,
    options: DeleteOptions = {},
  ): Promise<T | undefined> {
    try {
      const body = await this.#kinds.send(kind, options, (known) => {
        const { uid, ...key } = this.#target(known, target);
        const body = deleteBody({ ...options, uid: options.uid ?? uid });
        return this.#calls.call<T | Status>("DELETE", objectPath(known, key), { options, body });
      });
      return remainingOf(kind, body);
    } catch (error) {
      if (isObjectNotFound(error)) return undefined;
      throw error;
    }
  }

  async deleteAll<T extends KubeObject>(kind: AnyKind<T>, options: DeleteAllOptions): Promise<void> {
    await this.#kinds.send(kind, options, (known) => {
      const namespace = listNamespaceIn(this.#options.scope, known, options.namespace);
      if (known.namespaced && namespace === undefined) {
        throw new TypeError(`expected a namespace for deleteAll of ${kindName(known)}, got none`);
      }
      const path = withQuery(collectionPath(known, namespace), listQuery(options));
      return this.#calls.call("DELETE", path, { options, body: deleteBody(options) });
    });
  }

  async migrate(kind: AnyKind, options: MigrateOptions = {}): Promise<Migration> {
    const { scope, clock, rng } = this.#options;
    const known = await this.resolve(kind, options);
    requireAllNamespaces(scope, known, "migrate");
    return migrate({ client: this, kind: known, options, clock, rng });
  }

  subresource<N extends SubresourceName>(
    kind: AnyKind,
    key: ObjectKey | string,
    name: N,
  ): Subresource<SubresourceOf<N>> {
    const at: SendToObject = (options, send) =>
      this.#kinds.send(kind, options, (known) => {
        const place = this.#key(known, key);
        return send({ key: place, path: objectPath(known, place) });
      });
    return new SubresourceClient(name, this.#calls, at);
  }

  async *logs(pod: ObjectKey | string, options: LogOptions = {}): AsyncGenerator<string, void, void> {
    yield* podLogs(this.transport, `${objectPath(podKind, this.#key(podKind, pod))}/log`, options);
  }

  async exec(
    pod: ObjectKey | string,
    command: readonly string[],
    options: ExecOptions = {},
  ): Promise<RemoteSession> {
    checkCommand(command);
    const path = `${objectPath(podKind, this.#key(podKind, pod))}/exec`;
    return remoteCommand(this.transport, { path, command, options });
  }

  async attach(pod: ObjectKey | string, options: AttachOptions = {}): Promise<RemoteSession> {
    const path = `${objectPath(podKind, this.#key(podKind, pod))}/attach`;
    return remoteCommand(this.transport, { path, options });
  }

  discover({ signal }: CallOptions = {}): Promise<Discovery> {
    return discover(this.transport, signal);
  }

  async resolve<T extends KubeObject>(kind: AnyKind<T>, { signal }: CallOptions = {}): Promise<Kind<T>> {
    return this.#kinds.resolve(kind, signal);
  }

  version({ signal }: CallOptions = {}): Promise<ServerVersion> {
    return fetchJson(this.transport, { method: "GET", path: "/version", signal });
  }

  async collection<T extends KubeObject>(
    kind: AnyKind<T>,
    options: CollectionOptions = {},
  ): Promise<Collection<T>> {
    if (options.stale) this.#kinds.forget(kind, options.stale.kind);
    const { kind: known, path } = this.#listing(await this.resolve(kind, options), options);
    return collectionOf(known, path, options);
  }

  inNamespace(namespace: string): Client {
    return new KubeClient({ ...this.#options, scope: restrictTo(namespace, this.#options.scope) });
  }

  as(impersonate: Impersonation): Client {
    return new KubeClient({ ...this.#options, impersonate });
  }

  withFieldManager(fieldManager: string, { takeOver }: FieldManagerOptions = {}): Client {
    checkFieldManager("fieldManager", fieldManager);
    for (const former of takeOver ?? []) checkFieldManager("takeOver", former);
    return new KubeClient({ ...this.#options, fieldManager, takeOver });
  }

  through(layer: (transport: Transport) => Transport): Client {
    return new KubeClient({ ...this.#options, transport: layer(this.#options.transport) });
  }

  recordMetrics(metrics: Metrics): Disposable {
    return this.#options.meter?.record(metrics) ?? { [Symbol.dispose]() {} };
  }

  close(): Promise<void> {
    return this.transport.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #apply<T extends KubeObject>(
    path: string,
    sent: WriteBody & { readonly options: ApplyOptions },
  ): Promise<T> {
    const apply = (): Promise<T> => this.#calls.write("PATCH", path, sent);
    const { options, subresource = options.subresource } = sent;
    const { dryRun, fieldManager: to = this.fieldManager, signal } = options;
    const { takeOver: from = options.fieldManager === undefined ? this.#options.takeOver : undefined } =
      options;
    if (!from?.length || dryRun) return apply();
    const read = (): Promise<T> => this.#calls.call("GET", path, { options: { signal } });
    // The patch goes to the object itself, because the server ignores managed fields that are sent to a subresource.
    const patch = (steps: readonly JsonPatchStep[]): Promise<T> =>
      this.#calls.write("PATCH", path, {
        options: { signal, fieldManager: to },
        ...patchBody({ json: steps }),
      });
    return applyTakingOver({ from, to, subresource, apply, read, patch });
  }

  #listing<T extends KubeObject>(known: Kind<T>, options: ListOptions): Listing<T> {
    const path = collectionPath(known, listNamespaceIn(this.#options.scope, known, options.namespace));
    return { transport: this.transport, kind: known, path, options, clock: this.#options.clock };
  }

  #key(kind: Kind, key: ObjectKey | string): ObjectKey {
    return keyIn(this.#options.scope, kind, key);
  }

  /** Returns the key of the target, with the uid if the target is an object or its metadata. */
  #target(kind: Kind, target: string | Named): ObjectIdentity {
    const named: ObjectIdentity = parseKey<ObjectIdentity>(isObject(target) ? target.metadata : target);
    const key = this.#key(kind, named);
    return named.uid === undefined ? key : { ...key, uid: named.uid };
  }
}

type ObjectIdentity = ObjectKey & {
  readonly uid?: string | undefined;
  readonly generation?: number | undefined;
};
type Named = ObjectIdentity | { readonly metadata: ObjectIdentity };

function isObject(target: string | Named): target is { readonly metadata: ObjectIdentity } {
  return typeof target === "object" && target !== null && "metadata" in target;
}

const podKind: Kind = { group: "", version: "v1", kind: "Pod", plural: "pods", namespaced: true };
