import { type Kind, type KubeObject, kindName, type ObjectKey } from "../api/index.ts";
import { asError, guardedTracer, onAbort, unlessAborted } from "../base/index.ts";
import {
  type Informer,
  type ObjectEvent,
  releaseEvent,
  type Subscription,
  type View,
} from "../cache/index.ts";
import { traced } from "../client/index.ts";
import { type Limiter, perKeyBackoff, WorkQueue } from "../queue/index.ts";
import type { Controller } from "./controller.ts";
import type { ControllerEnvironment } from "./controller-environment.ts";
import { Debounce } from "./debounce.ts";
import type { DeclaredCache } from "./declared-cache.ts";
import { EventReason } from "./event-reason.ts";
import { type ExternalSource, externalSources } from "./external-source.ts";
import { queueKey } from "./full-key.ts";
import { guardedLimiter } from "./guarded-limiter.ts";
import { addEvery } from "./key-sources.ts";
import { type Mapped, mappedKeys } from "./mapped-keys.ts";
import { mergeReason } from "./merged-reason.ts";
import type { Index } from "./object-index.ts";
import type { ClusterCache, OtherCluster } from "./other-cluster.ts";
import { ownerKeys } from "./owner-keys.ts";
import { defaultPredicate, isTransient, notResync, type Predicate } from "./predicates.ts";
import { type Reason, reasonOf } from "./reason.ts";
import { Reconciler } from "./reconciler.ts";
import type { Trigger } from "./trigger.ts";
import { nameReconciles } from "./uncaught-errors.ts";
import { UnsyncedEvents } from "./unsynced-events.ts";
import { Waits } from "./waits.ts";

/**
 * A controller that runs: turns events into queued keys with reasons, and reconciles each key with one worker at a
 * time.
 *
 * ```
 *   prepare() ─▶ (informers are started) ─▶ synced ─▶ work(signals) ─▶ resolves when every started reconcile has ended
 * ```
 *
 * Between `synced` and `work` it is a standby: its caches stay current, but it has no event handlers, so changes queue
 * nothing. `work` subscribes the handlers, which then receive every object as an initial add.
 */
export class RunningController {
  readonly controller: Controller;
  readonly queue: WorkQueue<string, Reason>;
  readonly #environment: ControllerEnvironment;
  readonly #reconciler: Reconciler;
  readonly #debounce: Debounce<Reason> | undefined;
  /** The external sources. They run while the controller works. */
  readonly sources: readonly ExternalSource[];
  /** The informers, each with the cache that it is declared in. */
  readonly #informers = new Map<Informer<KubeObject>, DeclaredCache>();
  /** The event handlers that `work` subscribes. */
  readonly #handlers: Handler[] = [];
  readonly #subscriptions: Subscription[] = [];
  /** Events that wait for the cache of another kind. */
  readonly #unsynced: UnsyncedEvents;
  /** Keys that wait for an object. */
  readonly #waits: Waits;
  /** True once the handlers have received every object that the caches had when they were subscribed. */
  #delivered = false;

  constructor(controller: Controller, environment: ControllerEnvironment) {
    const { metrics, rng, clock } = environment;
    const { debounce } = controller.options;
    this.controller = controller;
    this.#environment = tracing(environment);
    const limiter = limiterOf(controller, environment);
    this.queue = new WorkQueue({ name: controller.name, limiter, mergeReason, metrics, clock });
    this.#waits = new Waits({
      controller: controller.name,
      cache: environment.cache,
      clock,
      namespace: environment.client.namespace,
      wake: (key, reason, priority) => this.queue.add(key, { reasons: [reason], priority }),
    });
    this.#reconciler = new Reconciler({
      controller,
      waits: this.#waits,
      environment: this.#environment,
      queue: this.queue,
      rng,
    });
    this.#debounce =
      debounce &&
      new Debounce({ ...debounce, mergeReason, clock }, (key, { reasons, reasonCount, priority }) =>
        this.queue.add(key, { reasons, reasonCount, priority }),
      );
    const log = environment.log.with({ controller: controller.name });
    this.#unsynced = new UnsyncedEvents(environment.cache, log);
    this.sources = externalSources(controller, {
      ...environment,
      log,
      add: this.#addExternal,
      waiting: () => this.queue.size + (this.#debounce?.size ?? 0),
    });
  }

  /** Declares the informers of this controller without starting them. */
  prepare(): void {
    const { options } = this.controller;
    const { for: kind, view, when = defaultPredicate(kind), on = [], indexes = [] } = options;
    this.#listen({ kind, view, when });
    for (const trigger of on) this.#listenTo(trigger);
    for (const each of indexes) this.#declareIndex(each);
  }

  /** Resolves when every cache of this controller has synced. */
  get synced(): Promise<void> {
    return Promise.all(this.informers.map(({ synced }) => synced)).then(() => {});
  }

  /**
   * True if every event has been delivered and no key is queued, debounced or processing. Keys that wait for a retry or
   * a requeue do not count. False for a standby, which has yet to reconcile everything.
   */
  get idle(): boolean {
    if (!this.#delivered || this.#unsynced.size > 0) return false;
    return this.queue.size === 0 && this.#reconciler.processing.length === 0 && !this.#debounce?.size;
  }

  /**
   * Subscribes the event handlers, waits until they have received every object in the caches, and reconciles until
   * `stop` aborts. Then takes no more keys, and resolves when the active reconciles have ended. `cancel` aborts active
   * reconciles. Queued keys are dropped: the next leader reconciles every object.
   */
  async work({ stop, cancel }: WorkSignals): Promise<void> {
    const { concurrency = 1, on = [] } = this.controller.options;
    using _stop = onAbort(stop, () => void this.queue.close());
    if (!(await this.#subscribe(stop))) return;
    using _named = nameReconciles(this.controller.name, this.#reconciler);
    using _channels = this.#listenToChannels(stop);
    const polls = on.map((trigger) => this.#poll(trigger, stop));
    const sources = this.sources.map((source) => source.run(stop));
    const workers = Array.from({ length: concurrency }, () => this.#reconciler.work(stop, cancel));
    await Promise.all([...workers, ...polls, ...sources]);
  }

  get informers(): readonly Informer<KubeObject>[] {
    return [...this.#informers.keys()];
  }

  /** Keys that are being reconciled. */
  get processing(): readonly string[] {
    return this.#reconciler.processing;
  }

  async close(): Promise<void> {
    this.#debounce?.clear();
    this.#unsynced.clear();
    this.#waits.clear();
    for (const [informer, cache] of this.#informers) cache.release(informer);
    await Promise.all(this.#subscriptions.map((subscription) => subscription.close()));
    await Promise.all(this.informers.map((informer) => informer.close()));
  }

  /** Returns true when every handler has received its initial adds, false if `stop` aborts first. */
  async #subscribe(stop: AbortSignal): Promise<boolean> {
    if (stop.aborted) return false;
    for (const { informer, handle } of this.#handlers) this.#subscriptions.push(informer.on(handle));
    try {
      await unlessAborted(Promise.all(this.#subscriptions.map(({ synced }) => synced)), stop);
    } catch (error) {
      if (stop.aborted) return false;
      throw error;
    }
    this.#delivered = true;
    return true;
  }

  /** Adds an index to the caches of every cluster in which this controller watches its kind. */
  #declareIndex(index: Index<KubeObject>): void {
    const name = kindName(index.kind);
    for (const [informer, cache] of this.#informers) {
      if (kindName(informer.kind) === name) cache.declareIndex(index);
    }
  }

  /** Declares the informer of an `owns` or `watches` trigger. */
  #listenTo(trigger: Trigger): void {
    const { cache } = this.#environment;
    const primary = this.controller.options.for;
    if (trigger.type === "owns") {
      this.#listen(trigger, (event) => owners(event, primary, trigger.anyOwner));
    } else if (trigger.type === "watches") {
      const map = (object: KubeObject): Iterable<Mapped> => trigger.map(object, { cache });
      this.#listen(trigger, (event) => mappedKeys(event, { primary, watched: trigger.kind }, map));
    }
  }

  /** Adds the keys of a `poll` trigger until `signal` aborts. */
  async #poll(trigger: Trigger, signal: AbortSignal): Promise<void> {
    if (trigger.type !== "poll") return;
    const { cache, clock } = this.#environment;
    const priority = (trigger.priority ?? 0) + low;
    const [primary = this.controller.options.for] = this.informers.map(({ kind }) => kind); // or only its metadata
    const keys = (): Iterable<string> => cache.of(primary).keys();
    const add = (key: string): void => this.queue.add(key, { reasons: [reasonOf("poll", key)], priority });
    await addEvery(trigger.everyMs, keys, { signal, clock, add });
  }

  /** Listens to channels until `stop` aborts. */
  #listenToChannels(stop: AbortSignal): Disposable {
    const { on = [] } = this.controller.options;
    const subscriptions = on.flatMap((trigger) =>
      trigger.type === "channel" ? [trigger.listen((key) => this.#addExternal(key, trigger.priority))] : [],
    );
    return onAbort(stop, () => {
      for (const subscription of subscriptions) subscription[Symbol.dispose]();
    });
  }

  readonly #addExternal = (key: ObjectKey | string, priority: number): void => {
    const text = this.#text(key);
    this.#add(text, reasonOf("external", text), priority);
  };

  #text(key: ObjectKey | string): string {
    return queueKey(this.controller.options.for, key, this.#environment.client.namespace);
  }

  /**
   * Declares an informer and its event handler.
   * @param keys Returns the keys to queue for an event. @default the key of the event's object
   */
  #listen(watch: Watch, keys?: KeysOf): void {
    const { kind, view, when = notResync, priority = 0 } = watch;
    const { informers, cache } = this.#clusterCache(watch.cluster);
    const informer = informers.for(kind, view);
    cache.declare(informer, { owned: "anyOwner" in watch });
    this.#informers.set(informer, cache);
    const shared = !isTransient(when);
    const add = (event: ObjectEvent<KubeObject>): void => {
      if (when(event)) {
        const reason = new EventReason(kind.kind, { event, shared }, cache.isOwn);
        this.#addFor(reason, keys?.(event) ?? [event.key], priority + priorityOf(event));
      } else if (!shared) releaseEvent(event);
    };
    const waits = watch.cluster ? undefined : this.#waits;
    waits?.declare(informer.kind);
    const handle = (event: ObjectEvent<KubeObject>): void => {
      waits?.notify(informer.kind, event);
      this.#unsynced.deliver(event, add);
    };
    this.#handlers.push({ informer, handle });
  }

  #addFor(reason: EventReason, keys: Iterable<string>, priority: number): void {
    reason.retain(); // until all keys are added
    for (const key of keys) this.#addRetained(key, reason, priority);
    reason.release();
  }

  #addRetained(key: string, reason: EventReason, priority: number): void {
    reason.retain();
    this.#add(key, reason, priority);
  }

  #clusterCache(cluster: OtherCluster | undefined): ClusterCache {
    const { clusterCacheOf } = this.#environment;
    if (!cluster) return this.#environment;
    if (clusterCacheOf) return clusterCacheOf(cluster);
    throw new Error(
      `watching cluster ${cluster.name} needs a manager; pass the controller to \`manager.add\``,
    );
  }

  #add(key: string, reason: Reason, priority: number): void {
    if (this.#debounce) this.#debounce.add(key, reason, priority);
    else this.queue.add(key, { reasons: [reason], priority });
  }
}

function limiterOf({ name, options: { limiter } }: Controller, { log }: ControllerEnvironment): Limiter {
  if (!limiter) return perKeyBackoff();
  return guardedLimiter(limiter, (error) =>
    log.error("rate limiter failed", { controller: name, error: asError(error) }),
  );
}

/** Returns the environment with a client whose requests are traced, if there is a tracer. */
function tracing(environment: ControllerEnvironment): ControllerEnvironment {
  const { client, log } = environment;
  if (!environment.tracer) return environment;
  const tracer = guardedTracer(environment.tracer, (error) =>
    log.error("tracer failed", { error: asError(error) }),
  );
  return { ...environment, tracer, client: client.through((transport) => traced(transport, tracer)) };
}

export interface WorkSignals {
  /** Ends the work. Active reconciles finish. */
  readonly stop: AbortSignal;
  /** Aborts active reconciles. */
  readonly cancel: AbortSignal;
}

/** An event handler, and the informer that it is subscribed to. */
interface Handler {
  readonly informer: Informer<KubeObject>;
  readonly handle: (event: ObjectEvent<KubeObject>) => void;
}

/** Returns the keys to queue for an event. */
type KeysOf = (event: ObjectEvent<KubeObject>) => Iterable<string>;

interface Watch {
  readonly kind: Kind;
  readonly cluster?: OtherCluster | undefined;
  readonly view?: View<KubeObject> | undefined;
  readonly when?: Predicate<KubeObject> | undefined;
  readonly priority?: number | undefined;
}

/** Returns a low priority for initial adds and resyncs, so that changes are reconciled first. */
function priorityOf(event: ObjectEvent<KubeObject>): number {
  if (event.type === "added") return event.initial ? low : 0;
  return event.type === "updated" && event.resync ? low : 0;
}

const low = -100;

/** Returns the owners of the object before and after the event. */
function owners(event: ObjectEvent<KubeObject>, kind: Kind, anyOwner: boolean): Set<string> {
  const keys = new Set(ownerKeys(event, kind, anyOwner));
  if (event.type !== "updated" || !event.metadataChanged) return keys;
  for (const key of ownerKeys({ metadata: event.previousMetadata }, kind, anyOwner)) keys.add(key);
  return keys;
}
