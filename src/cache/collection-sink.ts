import type { KubeObject } from "../api/index.ts";
import type { Clock } from "../base/index.ts";
import type { ChangeType } from "../transport/index.ts";
import { applyDelta, type Batch } from "./apply-delta.ts";
import { type Delta, DeltaQueue } from "./delta-queue.ts";
import type { Entry } from "./entry.ts";
import type { DecodeFailure } from "./entry-reader.ts";
import type { Change } from "./object-event.ts";
import type { ReflectorSink } from "./reflector-sink.ts";
import { isOlder } from "./removal.ts";
import type { Store } from "./store.ts";

/** Whose store it is. */
export interface SinkHost<T extends KubeObject> {
  readonly store: Store<T>;
  readonly backlog: number;
  notify(change: Change): void;
  /** The store is up to what was heard, which began to be processed then: see `Clock.monotonic`. */
  flushed(sinceMs: number): void;
  readonly clock: Clock;
  /** A list has an earlier resource version than the store had reached in this namespace: etcd was restored. */
  rewound(namespace: string | undefined): void;
  /** A bookmark or a list has come. */
  checkpoint(namespace: string | undefined): void;
  decodeFailed(decodeFailure: DecodeFailure): void;
  whenDrained(run: () => void): void;
}

/**
 * Takes what one reflector hears to the store, one batch after the other.
 *
 * An object that cannot be read is set aside: what the store has of it stays, until it can be read again or is gone.
 */
export class CollectionSink<T extends KubeObject> implements ReflectorSink, Batch {
  /** Of the collection; `undefined` where it is all there is. */
  readonly namespace: string | undefined;
  readonly #host: SinkHost<T>;
  readonly #queue: DeltaQueue;
  /** By key, why an object could not be read, and whether it was in a list that is yet to be told. */
  readonly #aside = new Map<string, { readonly error: Error; readonly listed: boolean }>();
  #heard = "";
  #reached = "";

  constructor(host: SinkHost<T>, namespace: string | undefined) {
    this.#host = host;
    this.namespace = namespace;
    this.#queue = new DeltaQueue({
      entry: (...key) => host.store.entry(...key),
      entries: () => this.#entries(),
    });
  }

  /** Up to which version of the collection all is in the store. */
  get reached(): string {
    return this.#reached;
  }

  /** The first list is in the store. */
  get synced(): boolean {
    return this.#queue.synced;
  }

  /** What could not be read, by key, and why. */
  get aside(): Iterable<[string, { readonly error: Error }]> {
    return this.#aside;
  }

  get backlog(): number {
    return this.#host.backlog;
  }

  readonly notify = (change: Change): void => this.#host.notify(change);

  replace(entries: readonly Entry[], resourceVersion: string): void {
    if (isOlder(resourceVersion, this.#reached)) this.#host.rewound(this.namespace);
    this.#host.checkpoint(this.namespace);
    const unread = this.#unread();
    this.#queue.replace(unread.length > 0 ? [...entries, ...unread] : entries);
    this.#heard = resourceVersion;
    this.#reached = resourceVersion;
  }

  change(type: ChangeType, entry: Entry): void {
    if (this.#aside.size > 0) this.#aside.delete(entry.key);
    if (type === "deleted") this.#queue.delete(entry, false);
    else this.#queue.put(type === "added" ? "added" : "updated", entry);
    this.#heard = entry.resourceVersion;
  }

  bookmark(resourceVersion: string): void {
    this.#heard = resourceVersion;
    this.#host.checkpoint(this.namespace);
  }

  decodeFailure(decodeFailure: DecodeFailure): void {
    const { key, change, error, resourceVersion } = decodeFailure;
    if (resourceVersion !== undefined && change !== undefined) this.#heard = resourceVersion;
    this.#host.decodeFailed(decodeFailure);
    if (key === undefined) return;
    if (change !== "deleted") {
      this.#aside.set(key, { error, listed: change === undefined });
      return;
    }
    const known = this.#entry(key);
    if (known) this.#queue.delete(known, true);
    this.#aside.delete(key);
  }

  flush(): void {
    const sinceMs = this.#host.clock.monotonic();
    this.#queue.drain(this.#apply);
    this.#reached = this.#heard;
    this.#host.flushed(sinceMs);
  }

  /** Says again what is in the store. */
  resync(notify: Batch["notify"]): void {
    this.flush();
    this.#queue.resync();
    const batch = { reached: this.#reached, notify };
    this.#queue.drain((delta) => applyDelta(this.#host.store, delta, batch));
  }

  whenDrained(run: () => void): void {
    this.#host.whenDrained(run);
  }

  readonly #apply = (delta: Delta): void => applyDelta(this.#host.store, delta, this);

  /** Objects that are there, as a list has just said, and whose last good version is in the store. */
  #unread(): Entry[] {
    const unread: Entry[] = [];
    for (const [key, { error, listed }] of this.#aside) {
      const known = listed ? this.#entry(key) : undefined;
      if (known) unread.push(known);
      if (listed) this.#aside.set(key, { error, listed: false });
      else this.#aside.delete(key);
    }
    return unread;
  }

  #entry(key: string): Entry | undefined {
    const slash = key.indexOf("/"); // not `parseKey`: what cannot be read may have any name
    return this.#host.store.entry(key.slice(0, Math.max(slash, 0)), key.slice(slash + 1));
  }

  #entries(): Iterable<Entry> {
    const { store } = this.#host;
    return this.namespace === undefined ? store.entries() : store.entriesBy("namespace", this.namespace);
  }
}
