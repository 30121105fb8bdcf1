import { type AnyKind, compareResourceVersions, type KubeObject, kindName } from "../api/index.ts";
import { asError, type Clock, type Logger, type Metrics, onAbort, type Rng } from "../base/index.ts";
import type { Client, Collection, CollectionOptions } from "../client/index.ts";
import { AdaptiveCompressor } from "./adaptive-compressor.ts";
import { CollectionSink, type SinkHost } from "./collection-sink.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { type DecodeFailure, EntryReader } from "./entry-reader.ts";
import type { IndexValues } from "./field-index.ts";
import { Handlers } from "./handlers.ts";
import { IdleGarbageCollection } from "./idle-garbage-collection.ts";
import { InformerMeter } from "./informer-meter.ts";
import type { Change } from "./object-event.ts";
import { Overlay } from "./overlay.ts";
import { Reflector, type ServerCapabilities } from "./reflector.ts";
import { Store } from "./store.ts";
import type { EventHandler, HandlerOptions, HandlerSubscription } from "./subscription.ts";
import { SyncError } from "./sync-error.ts";
import { SyncWait } from "./sync-wait.ts";
import { isInView, type View } from "./view.ts";
import type { WatchHealth } from "./watch-health.ts";
import { worstHealth } from "./worst-health.ts";

export interface SharedInformerOptions<T extends KubeObject> {
  readonly client: Client;
  readonly kind: AnyKind<T>;
  readonly view: View<T>;
  /** In metrics and logs. */
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
 * One store, a reflector for each namespace that fills it, and the handlers that are told of it.
 *
 * ```
 *   reflector ─▶ sink: delta queue ─▶ store ─▶ handlers, in dispatcher
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
  readonly #reflectors: readonly Reflector<T>[];
  readonly #packer = new AdaptiveCompressor();
  readonly #sync: SyncWait;
  readonly #idle: IdleGarbageCollection;
  readonly #indexes = new Map<string, IndexValues<T>>();
  readonly #ended = new AbortController();
  #phase: "new" | "running" | "over" = "new";
  /** Resolves when it has ended. */
  #over: Promise<void> | undefined;

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
      reached: (namespace) => this.#sinkOf(namespace)?.reached,
    });
    this.#handlers = new Handlers<T>({
      clock,
      dispatcher,
      onFailed: (error, key) => this.#failed(error, key),
      onResync: (subscription) => this.#resync(subscription),
      onDrained: () => this.#meter.waiting(0),
    });
    const namespaces = view.namespaces?.length ? view.namespaces : [undefined];
    this.#sinks = namespaces.map((namespace) => new CollectionSink(this, namespace));
    this.#reflectors = this.#sinks.map((sink) => this.#reflectorOf(sink));
    this.#sync = new SyncWait({
      clock,
      timeoutMs: options.syncTimeoutMs,
      trouble: () => this.health.lastError,
      onFailed: (error, ms) => this.#notSynced(error, ms),
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

  /** Of the store and of every handler there is now. */
  get allSynced(): Promise<unknown> {
    return Promise.all([this.synced, ...this.#handlers.synced]);
  }

  get started(): boolean {
    return this.#phase === "running";
  }

  /** It takes no more handlers, and will tell nobody anything. */
  get ended(): boolean {
    return this.#ended.signal.aborted;
  }

  get health(): WatchHealth {
    return worstHealth(this.#reflectors.map(({ health }) => health));
  }

  get aside(): ReadonlyMap<string, Error> {
    return new Map(this.#sinks.flatMap(({ aside }) => Array.from(aside, ([key, { error }]) => [key, error])));
  }

  on(handler: EventHandler<T>, options: HandlerOptions<T>, owner: object): HandlerSubscription<T> {
    if (this.ended)
      throw new Error(`expected an informer of ${this.#options.name} that runs, got one that has ended`);
    const subscription = this.#handlers.add(handler, options, owner);
    for (const entry of this.store.entries()) subscription.push({ type: "added", entry, initial: true });
    if (this.#sync.milestone.reached) subscription.listed();
    this.#options.dispatcher.soon();
    return subscription;
  }

  /** Closes what this one has registered. */
  closeHandlersOf(owner: object): Promise<void> {
    return this.#handlers.close(owner);
  }

  index(name: string, values: IndexValues<T>): void {
    if (this.#indexes.get(name) === values) return;
    this.store.index(name, values);
    this.overlay.index(name, values);
    this.#indexes.set(name, values);
  }

  /** Runs until the signal aborts or it is closed. Only the first call counts. */
  start(signal: AbortSignal): void {
    if (this.#phase !== "new") return;
    this.#phase = "running";
    this.#sync.start();
    const outer = onAbort(signal, (reason) => this.#ended.abort(reason));
    this.#over = this.#run().finally(() => outer[Symbol.dispose]());
  }

  async close(): Promise<void> {
    this.#ended.abort(new Error("the informer is closed"));
    this.#over ??= this.#end();
    await this.#over;
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
    this.#phase = "over";
    const cause = asError(this.#ended.signal.reason);
    const error = new Error(`expected ${this.#options.name} to be listed, got an end before that`, { cause });
    this.#sync.end(error);
    this.#handlers.missed(error);
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

  flushed(sinceMs: number): void {
    if (!this.#sync.milestone.reached && this.#sinks.every(({ synced }) => synced)) {
      this.#handlers.listed();
      this.#sync.reach();
    }
    this.#options.dispatcher.run();
    const nowMs = this.clock.monotonic();
    this.#meter.batch(nowMs - sinceMs, this.store, oldest(this.#sinks));
    this.#idle.changed(this.store.slab.size, nowMs);
    if (this.backlog > 0) this.#meter.waiting(this.backlog);
  }

  rewound(namespace: string | undefined): void {
    this.#log.warn("collection went back to an earlier resource version", { namespace });
    this.overlay.rewound(namespace);
  }

  checkpoint(namespace: string | undefined): void {
    this.overlay.checkpoint(namespace);
  }

  decodeFailed({ key, error }: DecodeFailure): void {
    this.#meter.decodeFailed();
    this.#log.error("object set aside", { key, error });
  }

  #failed(error: Error, key: string): void {
    this.#meter.failed();
    this.#log.error("handler failed", { error, key });
  }

  #resync(subscription: HandlerSubscription<T>): void {
    for (const sink of this.#sinks) sink.resync((change) => subscription.push(change));
    this.#options.dispatcher.run();
  }

  #notSynced(trouble: Error | undefined, ms: number): void {
    const come = this.#reflectors.reduce((sum, { coming }) => sum + coming, this.store.size);
    const error = new SyncError(this.kind, { waitedMs: ms, come, cause: trouble });
    this.#sync.milestone.fail(error);
    this.#handlers.missed(error);
  }

  #reflectorOf(sink: CollectionSink<T>): Reflector<T> {
    const { client, kind, view, name } = this.#options;
    let collection: Collection<T> | undefined;
    const { slab } = this.store;
    const known = this.store.entry.bind(this.store);
    const packer = this.#packer;
    const { namespace } = sink;
    return new Reflector<T>({
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
        packer,
        known,
        onEntry: (entry) => this.store.prepare(entry),
      }),
      sink,
      log: this.#log,
      name: namespace === undefined ? name : `${name} in ${namespace}`,
      pageSize: view.pageSize,
      onError: (error) => this.#watchFailed(error),
    });
  }

  /** What fills the store with the objects of this namespace. */
  #sinkOf(namespace: string): CollectionSink<T> | undefined {
    const [first] = this.#sinks;
    return first?.namespace === undefined ? first : this.#sinks.find((sink) => sink.namespace === namespace);
  }

  #watchFailed(failure: Error): unknown {
    const { onWatchError, kind } = this.#options;
    this.#sync.look();
    try {
      return onWatchError?.(failure, kind);
    } catch (error) {
      this.#log.error("handler of watch errors failed", { error });
      return undefined;
    }
  }

  async #collection(options: CollectionOptions): Promise<Collection<T>> {
    const { client, kind, view } = this.#options;
    const { labels, fields } = view;
    const collection = await client.collection(kind, { ...options, labels, fields });
    if (options.namespace === undefined || collection.kind.namespaced) return collection;
    throw new TypeError(
      `expected a kind of objects in namespaces, got ${kindName(kind)}: say that it has none`,
    );
  }
}

/** Resource version that all of them have reached. Empty before the first list of any, and if versions have no order. */
function oldest(sinks: readonly { readonly reached: string }[]): string {
  let least = sinks[0]?.reached ?? "";
  if (sinks.length === 1) return least;
  try {
    for (const { reached } of sinks) if (compareResourceVersions(reached, least) < 0) least = reached;
    return least;
  } catch {
    return "";
  }
}
