import type { KubeObject } from "../api/index.ts";
import { asError, type Clock, type Timer } from "../base/index.ts";
import type { Deliverer } from "./dispatcher.ts";
import { Fifo } from "./fifo.ts";
import { FilteredEvents } from "./filtered-events.ts";
import { Milestone } from "./milestone.ts";
import { type Change, eventOf, type ObjectEvent, releaseChange, retainChange } from "./object-event.ts";

/**
 * Told of one event after the other. It should be quick: what takes time belongs into a queue. A promise that it gives is not
 * waited for; what that rejects with, or the handler throws, is reported and stops nothing.
 */
export type EventHandler<T extends KubeObject> = (event: ObjectEvent<T>) => unknown;

export interface HandlerOptions<T extends KubeObject> {
  /**
   * Tells of every object again from time to time, as `updated` with `resync`. It comes from memory: nothing is asked
   * of the server. At least a second. @default the informer's, or never
   */
  readonly resyncMs?: number | undefined;
  /**
   * Tells only of objects for which it holds. One for which it begins to hold is told as `added`, and one for which it
   * ceases to as `deleted`, in the version told last.
   */
  readonly filter?: ((object: T) => boolean) | undefined;
}

/** A handler that is told of events, until it is closed. */
export interface Subscription extends AsyncDisposable {
  /** Resolves when this handler has been told of the whole first list. Rejects as the informer's does. */
  readonly synced: Promise<void>;
  /** Tells the handler nothing more, from now on. Resolves when the promises that it returned have settled. */
  close(): Promise<void>;
}

/** What runs handlers. */
export interface HandlerHost<T extends KubeObject> {
  readonly clock: Clock;
  /** This one has something to deliver, and had nothing before. */
  ready(deliverer: Deliverer): void;
  /** This one has nothing to deliver any more. */
  drained(): void;
  /** A handler, or its filter, failed at the event of this key. */
  failed(error: Error, key: string): void;
  /** This one is to be told of everything again. */
  resync(subscription: HandlerSubscription<T>): void;
  closed(subscription: HandlerSubscription<T>): void;
}

/** The line of one handler. */
export class HandlerSubscription<T extends KubeObject> implements Subscription, Deliverer {
  readonly #host: HandlerHost<T>;
  readonly #handler: EventHandler<T>;
  readonly #filtered: FilteredEvents<T> | undefined;
  readonly #resyncMs: number;
  readonly #waiting = new Fifo<Change>();
  readonly #synced = new Milestone();
  /** Promises of the handler that have not settled. */
  readonly #running = new Set<Promise<void>>();
  /** How many changes are to be delivered until it is synced. */
  #untilSynced: number | undefined;
  #resync: Timer | undefined;
  #closed = false;

  constructor(handler: EventHandler<T>, options: HandlerOptions<T>, host: HandlerHost<T>) {
    const { resyncMs = 0, filter } = options;
    this.#host = host;
    this.#handler = handler;
    this.#filtered = filter && new FilteredEvents(filter);
    this.#resyncMs = resyncMs > 0 ? Math.max(resyncMs, shortestResyncMs) : 0;
  }

  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** How many changes wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Does nothing once it is closed, which a handler may do to itself while it is told of everything again. */
  push(change: Change): void {
    if (this.#closed) return;
    retainChange(change);
    this.#waiting.push(change);
    if (this.#waiting.size === 1) this.#host.ready(this);
  }

  /** All of the first list has been pushed. */
  listed(): void {
    this.#untilSynced = this.#waiting.size;
    if (this.#untilSynced === 0) this.#isSynced();
  }

  /** The first list cannot be had. */
  missed(error: Error): void {
    this.#synced.fail(error);
  }

  deliver(untilMs: number): boolean {
    const { clock } = this.#host;
    for (let change = this.#waiting.shift(); change; change = this.#waiting.shift()) {
      this.#deliver(change);
      if (this.#untilSynced !== undefined) this.#count();
      if (this.#waiting.size > 0 && clock.monotonic() >= untilMs) return true;
    }
    if (!this.#closed) this.#host.drained(); // one that was closed has said so then
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
    this.#waiting.clear();
    this.#resync?.cancel();
    this.#synced.fail(new Error("expected a handler to be told of the first list, got it closed before"));
    this.#host.closed(this);
  }

  #deliver(change: Change): void {
    try {
      const event = this.#filtered ? this.#filtered.of(change) : eventOf<T>(change);
      const answer = event && this.#handler(event);
      if (isPromise(answer)) this.#await(answer, change);
    } catch (error) {
      this.#host.failed(asError(error), change.entry.key);
    } finally {
      releaseChange(change);
    }
  }

  #await(answer: PromiseLike<unknown>, { entry }: Change): void {
    const settled: Promise<void> = Promise.resolve(answer)
      .then(
        () => {},
        (error: unknown) => this.#host.failed(asError(error), entry.key),
      )
      .finally(() => this.#running.delete(settled));
    this.#running.add(settled);
  }

  #count(): void {
    this.#untilSynced = (this.#untilSynced ?? 0) - 1;
    if (this.#untilSynced <= 0) this.#isSynced();
  }

  #isSynced(): void {
    this.#untilSynced = undefined;
    this.#synced.reach();
    this.#resyncLater();
  }

  #resyncLater(): void {
    if (this.#resyncMs === 0 || this.#closed) return;
    this.#resync = this.#host.clock.timer(this.#resyncMs, () => {
      this.#resyncLater();
      // One that is still behind has enough to do.
      if (this.waiting === 0) this.#host.resync(this);
    });
  }
}

const shortestResyncMs = 1000;

function isPromise(answer: unknown): answer is PromiseLike<unknown> {
  return typeof answer === "object" && answer !== null && "then" in answer;
}
