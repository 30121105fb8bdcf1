import { type AnyKind, compareResourceVersions, type KubeObject, kindName } from "../api/index.ts";
import {
  asError,
  type Clock,
  type Logger,
  type Metrics,
  onAbort,
  type Rng,
  unlessAborted,
} from "../base/index.ts";
import type { Client, Collection, CollectionOptions } from "../client/index.ts";
import { CollectionSink, type SinkHost } from "./collection-sink.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { Handlers } from "./handlers.ts";
import { InformerMeter } from "./informer-meter.ts";
import { AdaptiveCompressor } from "./objects/adaptive-compressor.ts";
import { type DecodeFailure, EntryReader } from "./objects/entry-reader.ts";
import type { IndexValues } from "./objects/field-index.ts";
import { IdleGarbageCollection } from "./objects/idle-garbage-collection.ts";
import type { Change } from "./objects/object-event.ts";
import { Store } from "./objects/store.ts";
import { Overlay } from "./overlay.ts";
import { EntryReflector, type ServerCapabilities } from "./reflector/entry-reflector.ts";
import type { WatchHealth } from "./reflector/watch-health.ts";
import { worstHealth } from "./reflector/worst-health.ts";
import type { EventHandler, HandlerOptions, HandlerSubscription } from "./subscription.ts";
import { SyncError } from "./sync-error.ts";
import { SyncWait } from "./sync-wait.ts";
import { isInView, type View } from "./view.ts";

export interface SharedInformerOptions<T extends KubeObject> {
  readonly client: Client;
  readonly kind: AnyKind<T>;
  readonly view: View<T>;
  /** Name in metrics and logs. */
  readonly name: string;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly syncTimeoutMs: number;
  readonly server: ServerCapabilities;
  readonly onWatchError?: ((error: Error, kind: AnyKind) => unknown) | undefined;
}

/**
 * One store, a reflector and sink for each namespace of the view, and the handlers.
 *
 * ```
 *   EntryReflector ─▶ CollectionSink (DeltaQueue) ─▶ Store ─▶ Handlers (one queue each), run by the Dispatcher
 * ```
 */
export class SharedInformer<T extends KubeObject> implements SinkHost<T> {
  readonly store: Store<T>;
  readonly overlay: Overlay<T>;
  readonly #options: SharedInformerOptions<T>;
  readonly #log: Logger;
  readonly #meter: InformerMeter;
  readonly #handlers: Handlers<T>;
  readonly #sinks: readonly CollectionSink<T>[];
  readonly #reflectors: readonly EntryReflector<T>[];
  readonly #compressor = new AdaptiveCompressor();
  readonly #sync: SyncWait;
  readonly #idle: IdleGarbageCollection;
  readonly #indexes = new Map<string, IndexValues<T>>();
  readonly #ended = new AbortController();
  #phase: "new" | "running" | "ended" = "new";
  /** Resolves when the informer has ended. */
  #running: Promise<void> | undefined;

  constructor(options: SharedInformerOptions<T>) {
    const { view, name, dispatcher, clock } = options;
    this.#options = options;
    this.#idle = new IdleGarbageCollection(clock);
    this.#log = options.log.with({ informer: name });
    this.#meter = new InformerMeter(name, options.kind, options.metrics);
    this.store = new Store<T>({
      clock,
      onIndexError: (error, index, { key }) =>
        this.#log.error("index function failed", { error, index, key }),
    });
    this.overlay = new Overlay<T>({
      ...view,
      kind: options.kind,
      store: this.store,
      clock,
      covers: (object) => isInView(object, view),
      appliedVersion: (namespace) => this.#sinkOf(namespace)?.appliedVersion,
    });
    this.#handlers = new Handlers<T>({
      clock,
      dispatcher,
      onFailed: (error, key) => this.#handlerFailed(error, key),
      onResync: (subscription) => this.#resync(subscription),
      onDrained: () => this.#meter.queued(0),
    });
    const namespaces = view.namespaces?.length ? view.namespaces : [undefined];
    this.#sinks = namespaces.map((namespace) => new CollectionSink(this, namespace));
    this.#reflectors = this.#sinks.map((sink) => this.#reflectorOf(sink));
    this.#sync = new SyncWait({
      clock,
      timeoutMs: options.syncTimeoutMs,
      lastError: () => this.health.lastError,
      onFailed: (lastError, waitedMs) => this.#syncFailed(lastError, waitedMs),
    });
  }

  get kind(): AnyKind<T> {
    return this.#options.kind;
  }

  get name(): string {
    return this.#options.name;
  }

  get synced(): Promise<void> {
    return this.#sync.milestone.promise;
  }

  get hasSynced(): boolean {
    return this.#sync.milestone.reached;
  }

  /** Resolves when the store and every current handler are synced. */
  get allSynced(): Promise<unknown> {
    return Promise.all([this.synced, ...this.#handlers.synced]);
  }

  /** True if the store and every current handler are synced. */
  get hasAllSynced(): boolean {
    return this.hasSynced && this.#handlers.hasSynced;
  }

  get started(): boolean {
    return this.#phase === "running";
  }

  /** True if the informer accepts no handlers and notifies none. */
  get ended(): boolean {
    return this.#ended.signal.aborted;
  }

  get health(): WatchHealth {
    return worstHealth(this.#reflectors.map(({ health }) => health));
  }

  get undecodable(): ReadonlyMap<string, Error> {
    return new Map(this.#sinks.flatMap(({ undecodable }) => [...undecodable]));
  }

  on(handler: EventHandler<T>, options: HandlerOptions<T>, owner: object): HandlerSubscription<T> {
    if (this.ended) throw new Error(`informer of ${this.#options.name} already ended`);
    const subscription = this.#handlers.add(handler, options, owner);
    for (const entry of this.store.entries()) subscription.push({ type: "added", entry, initial: true });
    if (this.#sync.milestone.reached) subscription.listed();
    this.#options.dispatcher.runSoon();
    return subscription;
  }

  /** Closes the handlers that this owner has added. */
  closeHandlersOf(owner: object): Promise<void> {
    return this.#handlers.close(owner);
  }

  index(name: string, values: IndexValues<T>): void {
    if (this.#indexes.get(name) === values) return;
    this.store.index(name, values);
    this.overlay.index(name, values);
    this.#indexes.set(name, values);
  }

  /** Runs until the signal aborts or `close` is called. Only the first call has an effect. */
  start(signal: AbortSignal): void {
    if (this.#phase !== "new") return;
    this.#phase = "running";
    this.#sync.start();
    const outer = onAbort(signal, (reason) => this.#ended.abort(reason));
    this.#running = this.#run().finally(() => outer[Symbol.dispose]());
  }

  /** Starts the informer, and resolves when it has ended. If it was started before, also when `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.ended) throw new Error(`informer of ${this.#options.name} already ended`);
    const started = this.started;
    this.start(signal);
    if (started)
      await unlessAborted(this.#running ?? Promise.resolve(), signal).catch(() => {}); // aborted
    else await this.#running;
  }

  async close(): Promise<void> {
    this.#ended.abort(new Error("informer closed"));
    this.#running ??= this.#end();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#ended;
    try {
      await Promise.all(this.#reflectors.map((reflector) => reflector.run(signal)));
    } catch (error) {
      this.#log.error("informer failed", { error });
      this.#ended.abort(error);
    }
    await this.#end();
  }

  async #end(): Promise<void> {
    this.#phase = "ended";
    const cause = asError(this.#ended.signal.reason);
    const error = new Error(`informer of ${this.#options.name} ended before its first list`, { cause });
    this.#sync.end(error);
    this.#handlers.failSync(error);
    await this.#handlers.close();
    this.#idle[Symbol.dispose]();
    this.#meter.close();
  }

  get backlog(): number {
    return this.#handlers.backlog;
  }

  notify(change: Change): void {
    this.#handlers.notify(change);
  }

  whenDrained(run: () => void): void {
    this.#handlers.whenDrained(run);
  }

  get clock(): Clock {
    return this.#options.clock;
  }

  flushed(startMs: number): void {
    if (!this.#sync.milestone.reached && this.#sinks.every(({ synced }) => synced)) {
      this.#handlers.listed();
      this.#sync.reach();
    }
    this.#options.dispatcher.run();
    const nowMs = this.clock.monotonic();
    this.#meter.batch(nowMs - startMs, this.store, oldestVersion(this.#sinks));
    this.#idle.changed(this.store.slab.size, nowMs);
    if (this.backlog > 0) this.#meter.queued(this.backlog);
  }

  onRollback(namespace: string | undefined): void {
    this.#log.warn("collection went back to an earlier resource version", { namespace });
    this.overlay.rollBack(namespace);
  }

  checkpoint(namespace: string | undefined): void {
    this.overlay.checkpoint(namespace);
  }

  decodeFailed({ key, error }: DecodeFailure): void {
    this.#meter.decodeFailed();
    this.#log.error("object undecodable", { key, error });
  }

  #handlerFailed(error: Error, key: string): void {
    this.#meter.failed();
    this.#log.error("handler failed", { error, key });
  }

  #resync(subscription: HandlerSubscription<T>): void {
    for (const sink of this.#sinks) sink.resync((change) => subscription.push(change));
    this.#options.dispatcher.run();
  }

  #syncFailed(lastError: Error | undefined, waitedMs: number): void {
    const received = this.#reflectors.reduce((sum, { listed }) => sum + listed, this.store.size);
    const error = new SyncError(this.kind, { waitedMs, received, cause: lastError });
    this.#sync.milestone.fail(error);
    this.#handlers.failSync(error);
  }

  #reflectorOf(sink: CollectionSink<T>): EntryReflector<T> {
    const { client, kind, view, name } = this.#options;
    let collection: Collection<T> | undefined;
    const { slab } = this.store;
    const stored = this.store.entry.bind(this.store);
    const compressor = this.#compressor;
    const { namespace } = sink;
    return new EntryReflector<T>({
      ...this.#options,
      collection: async (signal) => {
        collection = await this.#collection({ namespace, signal, stale: collection });
        return collection;
      },
      transport: client.transport,
      reader: new EntryReader({
        ...view,
        kind,
        slab,
        compressor,
        stored,
        onEntry: (entry) => this.store.prepare(entry),
      }),
      sink,
      log: this.#log,
      name: namespace === undefined ? name : `${name} in ${namespace}`,
      pageSize: view.pageSize,
      onError: (error) => this.#watchFailed(error),
    });
  }

  /** Returns the sink for the objects of this namespace. */
  #sinkOf(namespace: string): CollectionSink<T> | undefined {
    const [first] = this.#sinks;
    return first?.namespace === undefined ? first : this.#sinks.find((sink) => sink.namespace === namespace);
  }

  #watchFailed(failure: Error): unknown {
    const { onWatchError, kind } = this.#options;
    this.#sync.check();
    try {
      return onWatchError?.(failure, kind);
    } catch (error) {
      this.#log.error("onWatchError failed", { error });
      return undefined;
    }
  }

  async #collection(options: CollectionOptions): Promise<Collection<T>> {
    const { client, kind, view } = this.#options;
    const { labels, fields } = view;
    const collection = await client.collection(kind, { ...options, labels, fields });
    if (options.namespace === undefined || collection.kind.namespaced) return collection;
    throw new TypeError(
      `expected a namespaced kind, got ${kindName(kind)}, which is cluster-scoped; set namespaced: false on it`,
    );
  }
}

/**
 * Returns the version up to which all sinks are current. Empty before the first lists, and for versions that cannot be
 * compared.
 */
function oldestVersion(sinks: readonly { readonly appliedVersion: string }[]): string {
  let oldest = sinks[0]?.appliedVersion ?? "";
  if (sinks.length === 1) return oldest;
  try {
    for (const { appliedVersion } of sinks)
      if (compareResourceVersions(appliedVersion, oldest) < 0) oldest = appliedVersion;
    return oldest;
  } catch {
    return "";
  }
}
