import type { KubeObject } from "../api/index.ts";
import type { Clock } from "../base/index.ts";
import { applyDelta, type Batch } from "./objects/apply-delta.ts";
import { DeltaQueue, type EntryDelta, type WatchDelta } from "./objects/delta-queue.ts";
import type { Entry } from "./objects/entry.ts";
import type { DecodeFailure } from "./objects/entry-reader.ts";
import { isOlder } from "./objects/is-older.ts";
import type { Change } from "./objects/object-event.ts";
import type { Store } from "./objects/store.ts";
import type { EntrySink } from "./reflector/entry-sink.ts";
import { UndecodableObjects } from "./reflector/undecodable-objects.ts";

/** The informer that a sink belongs to. */
export interface SinkHost<T extends KubeObject> {
  readonly store: Store<T>;
  readonly backlog: number;
  /** Queues a change for all handlers. */
  notify(change: Change): void;
  /** The store has a batch whose processing started at this monotonic time. */
  flushed(startMs: number): void;
  readonly clock: Clock;
  /** A list has an earlier resource version than the store has for this namespace: etcd was restored. */
  onRollback(namespace: string | undefined): void;
  /** A bookmark or a list was received. */
  checkpoint(namespace: string | undefined): void;
  decodeFailed(failure: DecodeFailure): void;
  whenDrained(run: () => void): void;
}

/**
 * Applies the changes of one reflector to the store, batch by batch.
 *
 * If a version of an object is undecodable, the store keeps the last version that was decoded, until another one is or
 * the object is deleted.
 */
export class CollectionSink<T extends KubeObject> implements EntrySink, Batch {
  /** Namespace of the collection; `undefined` for all namespaces. */
  readonly namespace: string | undefined;
  readonly #host: SinkHost<T>;
  readonly #queue: DeltaQueue;
  readonly #undecodable = new UndecodableObjects();
  /** Resource version of the last change that was received. */
  #receivedVersion = "";
  #appliedVersion = "";

  constructor(host: SinkHost<T>, namespace: string | undefined) {
    this.#host = host;
    this.namespace = namespace;
    this.#queue = new DeltaQueue({
      entry: (...key) => host.store.entry(...key),
      entries: () => this.#entries(),
    });
  }

  /** Resource version up to which the store has the collection. Empty before the first list. */
  get appliedVersion(): string {
    return this.#appliedVersion;
  }

  /** True if the store has the first list. */
  get synced(): boolean {
    return this.#queue.synced;
  }

  /** Errors of the undecodable objects, by key. */
  get undecodable(): ReadonlyMap<string, Error> {
    return this.#undecodable.errors;
  }

  get backlog(): number {
    return this.#host.backlog;
  }

  readonly notify = (change: Change): void => this.#host.notify(change);

  replace(entries: readonly Entry[], resourceVersion: string): void {
    if (isOlder(resourceVersion, this.#appliedVersion)) this.#host.onRollback(this.namespace);
    this.#host.checkpoint(this.namespace);
    const kept = this.#undecodable.takeListed().flatMap((key) => this.#entry(key) ?? []);
    this.#queue.replace(kept.length > 0 ? [...entries, ...kept] : entries);
    this.#receivedVersion = resourceVersion;
    this.#appliedVersion = resourceVersion;
  }

  change(delta: WatchDelta): void {
    const { entry } = delta;
    this.#undecodable.decoded(entry);
    this.#queue.push(delta);
    this.#receivedVersion = entry.resourceVersion;
  }

  bookmark(resourceVersion: string): void {
    this.#receivedVersion = resourceVersion;
    this.#host.checkpoint(this.namespace);
  }

  decodeFailed(failure: DecodeFailure): void {
    const { key, change, resourceVersion } = failure;
    if (resourceVersion !== undefined && change !== undefined) this.#receivedVersion = resourceVersion;
    this.#host.decodeFailed(failure);
    if (key === undefined) return;
    this.#undecodable.failed(key, failure);
    const stored = change === "deleted" ? this.#entry(key) : undefined;
    if (stored) this.#queue.push({ type: "deleted", entry: stored, missed: true });
  }

  flush(): void {
    const startMs = this.#host.clock.monotonic();
    this.#queue.drain(this.#apply);
    this.#appliedVersion = this.#receivedVersion;
    this.#host.flushed(startMs);
  }

  /** Notifies of every stored object again. */
  resync(notify: Batch["notify"]): void {
    this.flush();
    this.#queue.resync();
    const batch = { appliedVersion: this.#appliedVersion, notify };
    this.#queue.drain((delta) => applyDelta(this.#host.store, delta, batch));
  }

  whenDrained(run: () => void): void {
    this.#host.whenDrained(run);
  }

  readonly #apply = (delta: EntryDelta): void => applyDelta(this.#host.store, delta, this);

  #entry(key: string): Entry | undefined {
    const slash = key.indexOf("/"); // not `parseKey`: an undecodable object may have an invalid name
    return this.#host.store.entry(key.slice(0, Math.max(slash, 0)), key.slice(slash + 1));
  }

  #entries(): Iterable<Entry> {
    const { store } = this.#host;
    return this.namespace === undefined ? store.entries() : store.entriesBy("namespace", this.namespace);
  }
}
