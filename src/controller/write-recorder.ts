import {
  type AnyKind,
  apiVersionOf,
  type DeepReadonly,
  isDiscovered,
  type KubeObject,
  keyText,
  metadataOnly,
  type ObjectKey,
  parseKey,
} from "../api/index.ts";
import type {
  Client,
  DeleteAllOptions,
  DeleteOptions,
  Subresource,
  SubresourceName,
  SubresourceOf,
  WriteOptions,
} from "../client/index.ts";
import type { Write, WriteObserver, WriteVerb } from "../detector/index.ts";
import type { DeclaredCache, RollbackCounts } from "./declared-cache.ts";
import { fullKey } from "./full-key.ts";
import { fieldsSetBy, isOwnWrite } from "./is-own-write.ts";
import { ReportingSubresource } from "./reporting-subresource.ts";

export interface WriteRecorderOptions {
  /** Sends the writes. */
  readonly live: Client;
  readonly cache: DeclaredCache;
  /** Notified of every write except dry runs. */
  readonly observer: WriteObserver | undefined;
  /** Called for every write that changed an object, with its description. */
  readonly onChange?: OnChange | undefined;
}

/** Called with a change of an object: `apply Deployment default/web`, `patch status of Website default/docs`. */
export type OnChange = (change: string) => void;

/** A write of an object. */
export interface ObjectWrite<T extends KubeObject> {
  readonly verb: WriteVerb;
  readonly kind: AnyKind<T>;
  /** Has no name if the server generates it. */
  readonly target: string | { readonly name?: string | undefined; readonly namespace?: string | undefined };
  readonly sent?: unknown;
  /** The cached object before the write, if it was read. */
  readonly before?: DeepReadonly<T> | undefined;
}

/** Sends a write with its own options and `extra`. */
export type Send<T> = (extra: Pick<WriteOptions, "onResponseBody">) => Promise<T>;

/**
 * Sends writes and records their responses in the read-your-writes overlays of the cache. Dry runs are sent without
 * being recorded.
 */
export class WriteRecorder {
  readonly #live: Client;
  readonly #cache: DeclaredCache;
  readonly #observer: WriteObserver | undefined;
  readonly #onChange: OnChange | undefined;

  constructor({ live, cache, observer, onChange }: WriteRecorderOptions) {
    this.#onChange = onChange;
    this.#live = live;
    this.#cache = cache;
    this.#observer = observer;
  }

  /** Sends a create, update, patch or apply, of the object or of one of its subresources. */
  async write<T extends KubeObject>(
    written: ObjectWrite<T>,
    options: WriteOptions,
    send: Send<T>,
  ): Promise<T> {
    const { dryRun, subresource } = options;
    if (dryRun) return send({});
    const rollbacks = this.#cache.rollbackCounts(written.kind);
    if (subresource !== undefined && subresource !== "status") {
      const response = await send({});
      this.#recordSubresourceOf(written, { name: subresource, response, rollbacks });
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
    // The response to a write of an uncached object that changed nothing has the version of an earlier own write.
    if (own && !this.#cache.isOwn(after.metadata.resourceVersion))
      this.#changed(written.verb, written.kind, { key: after.metadata, subresource });
    this.#cache.recordWrite(written.kind, after, { own, bytes, rollbacks });
    if (written.kind.metadataOnly) {
      const key = after.metadata;
      this.#cache.recordPending(written.kind, { key, pending: key, wholeOnly: true, rollbacks });
    }
    return after;
  }

  /** Sends a delete. Returns the object if it is terminating. */
  async delete<T extends KubeObject>(
    kind: AnyKind<T>,
    target: ObjectKey | string | DeepReadonly<NoInfer<T>>,
    options: DeleteOptions,
  ): Promise<T | undefined> {
    if (options.dryRun) return this.#live.delete(kind, target, options);
    const key = keyOfTarget(target);
    const resolved = isDiscovered(kind) ? kind : await this.#live.resolve(kind, options);
    const onDeleted = this.#cache.prepareDelete(kind, this.#fullKey(resolved, key));
    let body: Buffer | undefined;
    const onResponseBody = (bytes: Buffer): void => {
      body = bytes;
      options.onResponseBody?.(bytes);
    };
    const written: ObjectWrite<T> = { verb: "delete", kind, target: key };
    const terminating = await this.#observed(written, options, () =>
      this.#live.delete(kind, target, { ...options, onResponseBody }),
    );
    onDeleted(body);
    if (body) this.#changed("delete", kind, { key: this.#fullKey(resolved, key) });
    return terminating;
  }

  async deleteAll<T extends KubeObject>(kind: AnyKind<T>, options: DeleteAllOptions): Promise<void> {
    let body: Buffer | undefined;
    const onResponseBody = (bytes: Buffer): void => {
      body = bytes;
      options.onResponseBody?.(bytes);
    };
    const rollbacks = this.#cache.rollbackCounts(kind);
    await this.#live.deleteAll(kind, { ...options, onResponseBody });
    if (!body || options.dryRun) return;
    this.#onChange?.(`delete all ${kind.kind}`);
    this.#cache.recordDeleteAll(kind, body, rollbacks);
  }

  subresource<N extends SubresourceName>(
    kind: AnyKind,
    key: ObjectKey | string,
    name: N,
  ): Subresource<SubresourceOf<N>> {
    const subresource = this.#live.subresource(kind, key, name);
    if (name === "token") return subresource; // it does not change the object
    return new ReportingSubresource(subresource, () => {
      const rollbacks = this.#cache.rollbackCounts(kind);
      return (response) => this.#recordSubresource(kind, key, { name, response, rollbacks });
    });
  }

  #recordSubresourceOf({ kind, target }: ObjectWrite<KubeObject>, written: SubresourceWrite): void {
    const { name, namespace } = typeof target === "string" ? parseKey(target) : target;
    if (name !== undefined) this.#recordSubresource(kind, { name, namespace }, written);
  }

  /**
   * Records a write of a subresource. Some responses contain the whole object, others not even its resource version.
   */
  #recordSubresource(kind: AnyKind, key: ObjectKey | string, write: SubresourceWrite): void {
    const { name, response, rollbacks } = write;
    this.#changed("write", kind, { key: this.#fullKey(kind, key), subresource: name });
    const whole: AnyKind = { ...kind, metadataOnly: undefined };
    if (isObjectOf(whole, response)) return this.#cache.recordWrite(whole, response, { rollbacks });
    const object = this.#fullKey(kind, key);
    const resourceVersion = versionOf(response);
    if (resourceVersion !== undefined) {
      return this.#cache.recordPending(kind, { key: object, pending: { resourceVersion }, rollbacks });
    }
    if (name !== "binding" && name !== "eviction") return; // the response does not tell when the change is visible
    const before = this.#cache.lazyView(whole, object) ?? this.#cache.lazyView(metadataOnly(kind), object);
    const isBinding = name === "binding";
    const isDone = isBinding ? isBound : isMarkedForDeletion;
    const isVisible = (newest: DeepReadonly<KubeObject> | undefined): boolean =>
      newest === undefined || newest.metadata.uid !== before?.metadata.uid || isDone(newest);
    this.#cache.recordPending(kind, { key: object, pending: { isVisible }, wholeOnly: isBinding, rollbacks });
  }

  #changed(verb: string, { kind }: AnyKind, { key, subresource }: Changed): void {
    this.#onChange?.(`${verb} ${subresource ? `${subresource} of ` : ""}${kind} ${keyText(key)}`);
  }

  /** Returns the cached object before a write, or `undefined` for a create or an object without a name. */
  #before<T extends KubeObject>({ verb, kind, target }: ObjectWrite<T>): DeepReadonly<T> | undefined {
    const { name, namespace } = typeof target === "string" ? parseKey(target) : target;
    return verb === "create" || name === undefined ? undefined : this.#cached(kind, { name, namespace });
  }

  /** Sends a write through the observer. */
  async #observed<T extends KubeObject, A extends T | undefined>(
    { verb, kind, target, sent, before }: ObjectWrite<T>,
    { subresource }: WriteOptions,
    send: () => Promise<A>,
  ): Promise<A> {
    if (!this.#observer) return send();
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
  #cached<T extends KubeObject>(kind: AnyKind<T>, key: ObjectKey): DeepReadonly<T> | undefined {
    return this.#cache.lazyView(kind, this.#fullKey(kind, key));
  }

  #fullKey(kind: AnyKind, key: ObjectKey | string): ObjectKey {
    return fullKey(kind, key, this.#live.namespace);
  }
}

interface Changed {
  readonly key: ObjectKey;
  readonly subresource?: string | undefined;
}

/** A write of a subresource with its response. */
interface SubresourceWrite {
  readonly name: string;
  readonly response: unknown;
  /** The result of `rollbackCounts` before the request. */
  readonly rollbacks: RollbackCounts;
}

function isObjectOf(kind: AnyKind, response: unknown): response is KubeObject {
  const { apiVersion, kind: name } = response as Partial<KubeObject>;
  return apiVersion === apiVersionOf(kind) && name === kind.kind;
}

function isMarkedForDeletion({ metadata }: DeepReadonly<KubeObject>): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function isBound(pod: DeepReadonly<KubeObject>): boolean {
  const { spec } = pod as { readonly spec?: { readonly nodeName?: string } };
  return Boolean(spec?.nodeName);
}

/** Returns the resource version in a response, if it has one. */
function versionOf(response: unknown): string | undefined {
  const { metadata } = response as { readonly metadata?: { readonly resourceVersion?: string } };
  return metadata?.resourceVersion || undefined;
}

/** Returns the key of an object, or a key as it is. */
export function keyOfTarget(
  target: ObjectKey | string | { readonly metadata: ObjectKey },
): ObjectKey | string {
  return typeof target === "object" && target !== null && "metadata" in target ? target.metadata : target;
}
