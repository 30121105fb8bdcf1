import type { KubeObject } from "../api/index.ts";
import { asError, type Clock, Fifo, Milestone, type Timer } from "../base/index.ts";
import type { Deliverer } from "./dispatcher.ts";
import { FilteredEvents } from "./filtered-events.ts";
import {
  type Change,
  eventOf,
  type ObjectEvent,
  releaseChange,
  retainChange,
} from "./objects/object-event.ts";

/**
 * Handles one event after the other. It should be quick: enqueue a key for work that takes time. The next event is
 * delivered without waiting for a promise that it returns. Errors that it throws or rejects with are logged, and stop
 * nothing.
 */
export type EventHandler<T extends KubeObject> = (event: ObjectEvent<T>) => unknown;

export interface HandlerOptions<T extends KubeObject> {
  /**
   * Interval at which every object is delivered again, as `updated` with `resync: true`. It comes from the cache and
   * causes no request. At least 1,000. @default the informer's, or never
   */
  readonly resyncMs?: number | undefined;
  /**
   * Delivers only objects for which it returns true. An object that begins to pass is delivered as `added`, and one
   * that ceases to pass as `deleted`, in the version that was delivered last.
   */
  readonly filter?: ((object: T) => boolean) | undefined;
}

/** The registration of a handler, until it is closed. */
export interface Subscription extends AsyncDisposable {
  /** Resolves when the first list has been delivered to this handler. Rejects like `synced` of the informer. */
  readonly synced: Promise<void>;
  /** True if the first list has been delivered to this handler. */
  readonly hasSynced: boolean;
  /** Delivers no further event. Resolves when the promises that the handler returned have settled. */
  close(): Promise<void>;
}

/** The owner of subscriptions. */
export interface HandlerHost<T extends KubeObject> {
  readonly clock: Clock;
  /** The queue of a subscription is not empty any more. */
  ready(deliverer: Deliverer): void;
  /** The queue of a subscription is empty. */
  drained(): void;
  /** A handler or its filter failed for the object with this key. */
  failed(error: Error, key: string): void;
  /** A subscription is due for a resync. */
  resync(subscription: HandlerSubscription<T>): void;
  closed(subscription: HandlerSubscription<T>): void;
}

/** One handler and its queue of changes. */
export class HandlerSubscription<T extends KubeObject> implements Subscription, Deliverer {
  readonly #host: HandlerHost<T>;
  readonly #handler: EventHandler<T>;
  readonly #filtered: FilteredEvents<T> | undefined;
  readonly #resyncMs: number;
  readonly #queue = new Fifo<Change>();
  readonly #synced = new Milestone();
  /** Promises of the handler that have not settled. */
  readonly #running = new Set<Promise<void>>();
  /** Number of queued changes to deliver until it is synced; `undefined` before the first list and afterwards. */
  #untilSynced: number | undefined;
  #resync: Timer | undefined;
  #closed = false;

  constructor(handler: EventHandler<T>, options: HandlerOptions<T>, host: HandlerHost<T>) {
    const { resyncMs = 0, filter } = options;
    this.#host = host;
    this.#handler = handler;
    this.#filtered = filter && new FilteredEvents(filter);
    this.#resyncMs = resyncMs > 0 ? Math.max(resyncMs, minResyncMs) : 0;
  }

  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  get hasSynced(): boolean {
    return this.#synced.reached;
  }

  /** Number of queued changes. */
  get queued(): number {
    return this.#queue.size;
  }

  /** Queues a change. Does nothing if it is closed: a handler may close itself during a resync. */
  push(change: Change): void {
    if (this.#closed) return;
    retainChange(change);
    this.#queue.push(change);
    if (this.#queue.size === 1) this.#host.ready(this);
  }

  /** Called when every change of the first list is queued. */
  listed(): void {
    this.#untilSynced = this.#queue.size;
    if (this.#untilSynced === 0) this.#setSynced();
  }

  /** Rejects `synced`, unless it is synced. */
  failSync(error: Error): void {
    this.#synced.fail(error);
  }

  deliver(untilMs: number): boolean {
    const { clock } = this.#host;
    for (let change = this.#queue.shift(); change; change = this.#queue.shift()) {
      this.#deliver(change);
      if (this.#untilSynced !== undefined) this.#countDown();
      if (this.#queue.size > 0 && clock.monotonic() >= untilMs) return true;
    }
    if (!this.#closed) this.#host.drained(); // `close` has called `closed` instead
    return false;
  }

  async close(): Promise<void> {
    if (!this.#closed) this.#end();
    await Promise.all(this.#running);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #end(): void {
    this.#closed = true;
    this.#queue.clear();
    this.#resync?.cancel();
    this.#synced.fail(new Error("handler closed before the first list was delivered"));
    this.#host.closed(this);
  }

  #deliver(change: Change): void {
    try {
      const event = this.#filtered ? this.#filtered.of(change) : eventOf<T>(change);
      const result = event && this.#handler(event);
      if (isPromise(result)) this.#track(result, change);
    } catch (error) {
      this.#host.failed(asError(error), change.entry.key);
    } finally {
      releaseChange(change);
    }
  }

  /** Reports the rejection of a handler's promise, and lets `close` wait for it. */
  #track(result: PromiseLike<unknown>, { entry }: Change): void {
    const settled: Promise<void> = Promise.resolve(result)
      .then(
        () => {},
        (error: unknown) => this.#host.failed(asError(error), entry.key),
      )
      .finally(() => this.#running.delete(settled));
    this.#running.add(settled);
  }

  #countDown(): void {
    this.#untilSynced = (this.#untilSynced ?? 0) - 1;
    if (this.#untilSynced <= 0) this.#setSynced();
  }

  #setSynced(): void {
    this.#untilSynced = undefined;
    this.#synced.reach();
    this.#scheduleResync();
  }

  #scheduleResync(): void {
    if (this.#resyncMs === 0 || this.#closed) return;
    this.#resync = this.#host.clock.timer(this.#resyncMs, () => {
      this.#scheduleResync();
      // A handler that is behind skips the resync.
      if (this.queued === 0) this.#host.resync(this);
    });
  }
}

/** Shorter intervals of a resync count as this one. */
export const minResyncMs = 1000;

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value;
}
