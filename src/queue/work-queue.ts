import { type Clock, type Metrics, realClock, unreachable } from "../base/index.ts";
import { Delays } from "./delays.ts";
import { DelayedAdd, Item, type ItemAdd } from "./item.ts";
import { Lanes } from "./lanes.ts";
import { type Lease, type LeaseOwner, QueueLease } from "./lease.ts";
import { type Limiter, maxOf, perKeyBackoff, tokenBucket } from "./limiters.ts";
import { QueueMeter } from "./queue-meter.ts";
import { keepNewest, type MergeReason } from "./reason-list.ts";

export interface WorkQueueOptions<K = string, R = unknown> {
  /** Label of this queue's metrics. Without a name there are no metrics. */
  readonly name?: string | undefined;
  /**
   * Computes the delay of `retry`. @default per-key backoff from 5 ms to 1000 s, and 10 per second (burst 100) overall
   */
  readonly limiter?: Limiter<K> | undefined;
  /** A key that has waited this long is taken before newer keys of any priority. @default 60_000 */
  readonly maxWaitMs?: number | undefined;
  /** Merges a reason into those of its key. @default keeps the newest 16 */
  readonly mergeReason?: MergeReason<R> | undefined;
  readonly metrics?: Metrics | undefined;
  readonly clock?: Clock | undefined;
}

export interface AddOptions<R = unknown> {
  /** Delay before the key is queued. @default 0 */
  readonly afterMs?: number | undefined;
  /** Higher is sooner. If a key is added twice, the higher priority wins. @default 0 */
  readonly priority?: number | undefined;
  /** Why the key is added. The reasons of several adds are merged and delivered together, oldest first. */
  readonly reasons?: readonly R[] | undefined;
  /** Number of reasons that `reasons` represents, if the caller has merged some. @default the number of `reasons` */
  readonly reasonCount?: number | undefined;
}

export interface RetryOptions<R = unknown> extends Omit<AddOptions<R>, "afterMs"> {
  /** Minimum delay. The retry is counted in any case. @default 0 */
  readonly atLeastMs?: number | undefined;
}

/**
 * A work queue that hands each key to one worker at a time.
 *
 * - Deduplicated: adding a queued key again has no effect except for its priority and reasons. A key added while it is
 *   being processed is marked dirty and queued again when its lease ends. Keys are compared as `Map` keys.
 * - Fair: within a priority, keys are taken in the order in which they were first added.
 * - Delayed adds: `add(key, { afterMs })` queues the key later. The earliest of several delays wins. An immediate add
 *   does not cancel a delayed one.
 * - Drainable: `close()` rejects new keys and drops delayed ones. Iteration ends once the accepted keys have been
 *   taken.
 *
 * Any number of workers may iterate over one queue.
 *
 * ```
 *   add(afterMs) ─▶ delayed ─▶ queued ─▶ processing ─▶ idle
 *                                ▲           └ added meanwhile: dirty ┐
 *                                └────────────────────────────────────┘
 * ```
 */
export class WorkQueue<K = string, R = unknown> implements AsyncIterable<Lease<K, R>>, AsyncDisposable {
  readonly #clock: Clock;
  readonly #limiter: Limiter<K>;
  readonly #mergeReason: MergeReason<R>;
  readonly #meter: QueueMeter | undefined;
  /** Every queued, processing or delayed key, plus some idle ones that are kept for reuse. */
  readonly #items = new Map<K, Item<K, R>>();
  /** Number of idle items in `#items`, including delayed ones. */
  #idleItems = 0;
  #maxIdleItems = minIdleLimit;
  /** The queued items. */
  readonly #lanes: Lanes<Item<K, R>>;
  readonly #delays: Delays<DelayedAdd<K, R>>;
  /** Workers waiting for a key. Empty while any key is queued. */
  readonly #waiters: ((result: IteratorResult<Lease<K, R>, undefined>) => void)[] = [];
  readonly #leaseOwner: LeaseOwner<K, R> = { endLease: (item) => this.#endLease(item) };
  #workers = 0;
  #processing = 0;
  /** Number of processing keys that are dirty. */
  #dirty = 0;
  #closed = false;
  #onDrained: (() => void)[] = [];
  /** Cached time; undefined when the current microtask queue has drained. */
  #cachedMs: number | undefined = undefined;

  constructor(options: WorkQueueOptions<K, R> = {}) {
    const { name, metrics, maxWaitMs = 60_000, clock = realClock } = options;
    this.#clock = clock;
    this.#mergeReason = options.mergeReason ?? keepNewest;
    this.#limiter = options.limiter ?? defaultLimiter(clock);
    this.#meter = name && metrics ? new QueueMeter(name, metrics, clock) : undefined;
    this.#lanes = new Lanes(maxWaitMs, clock);
    this.#delays = new Delays(clock, (delayed) => this.#onDue(delayed));
  }

  /** Number of queued keys. */
  get size(): number {
    return this.#lanes.size;
  }

  add(key: K, options?: AddOptions<R>): void {
    if (this.#closed) return;
    const item = this.#items.get(key) ?? this.#newItem(key);
    if (options === undefined) this.#addNow(item, noReasons);
    else if (options.afterMs === undefined) this.#addNow(item, options);
    else this.#addAfter(item, options.afterMs, options);
  }

  /** Queues the key again after its rate-limited delay. @returns that delay in milliseconds */
  retry(key: K, options?: RetryOptions<R>): number {
    if (this.#closed) return 0;
    const afterMs = Math.max(this.#limiter.delayMs(key), options?.atLeastMs ?? 0);
    this.add(key, { ...options, afterMs });
    return afterMs;
  }

  /** Returns true if the key has a delayed add that is not due yet. */
  isDelayed(key: K): boolean {
    return this.#items.get(key)?.delayed !== undefined;
  }

  /** Resets the key's backoff. Call it after a success. */
  forget(key: K): void {
    this.#limiter.forget(key);
  }

  /** Returns the number of retries since the last `forget`. */
  retries(key: K): number {
    return this.#limiter.retries(key);
  }

  /** Takes the next queued key without waiting, or returns `undefined`. For callers with their own loop. */
  take(): Lease<K, R> | undefined {
    return this.#lanes.size === 0 ? undefined : this.#take(this.#measuredMs());
  }

  /**
   * Stops accepting keys, lets workers finish, and resolves when every lease has ended. Keys that are queued while no
   * worker iterates stay queued.
   */
  async close(): Promise<void> {
    this.#closed = true;
    this.#delays.clear();
    const drained = new Promise<void>((resolve) => this.#onDrained.push(resolve));
    this.#checkDrained();
    await drained;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  [Symbol.asyncIterator](): AsyncIterator<Lease<K, R>, undefined> {
    let working = false;
    const stopWorking = (): typeof over => {
      if (working) this.#workers -= 1;
      working = false;
      this.#checkDrained();
      return over;
    };
    const next = (): Promise<IteratorResult<Lease<K, R>, undefined>> => {
      if (!working) this.#workers += 1;
      working = true;
      const lease = this.take();
      if (lease) return Promise.resolve({ done: false, value: lease });
      if (this.#finished) return Promise.resolve(stopWorking());
      return new Promise((resolve) =>
        this.#waiters.push((result) => resolve(result.done ? stopWorking() : result)),
      );
    };
    return { next, return: () => Promise.resolve(stopWorking()) };
  }

  #newItem(key: K): Item<K, R> {
    if (this.#idleItems > this.#maxIdleItems) this.#dropIdleItems();
    const item = new Item<K, R>(key);
    this.#items.set(key, item);
    this.#idleItems += 1;
    return item;
  }

  /**
   * Drops idle items without a delayed add. It visits all items, so the limit grows with the number of items that
   * remain.
   */
  #dropIdleItems(): void {
    for (const { key, state, delayed } of this.#items.values())
      if (state === "idle" && delayed === undefined && this.#items.delete(key)) this.#idleItems -= 1;
    this.#maxIdleItems = minIdleLimit + 2 * this.#items.size;
  }

  #addNow(item: Item<K, R>, add: ItemAdd<R>): void {
    switch (item.state) {
      case "idle":
        this.#idleItems -= 1;
        this.#begin(item, add);
        return this.#enqueue(item, item.sinceMs);
      case "processing":
        item.state = "dirty";
        this.#dirty += 1;
        return this.#begin(item, add);
      case "dirty":
        return item.join(add, this.#mergeReason);
      case "queued":
        return this.#mergeQueued(item, add);
      default:
        return unreachable(item.state);
    }
  }

  /** Counts the add in the metrics here, so that several adds of one processing count once. */
  #begin(item: Item<K, R>, add: ItemAdd<R>): void {
    item.begin(add, this.#mergeReason);
    item.sinceMs = this.#nowMs();
    this.#meter?.added();
  }

  /** @param nowMs Used for metrics only. */
  #enqueue(item: Item<K, R>, nowMs: number): void {
    item.state = "queued";
    this.#lanes.push(item);
    this.#meter?.entered(item.priority);
    if (this.#waiters.length === 0) return;
    const waiter = this.#waiters.shift();
    const lease = waiter && this.#take(nowMs);
    if (lease) waiter({ done: false, value: lease });
  }

  /** @param nowMs Used for metrics only. */
  #take(nowMs: number): Lease<K, R> | undefined {
    const item = this.#lanes.shift();
    if (!item) return undefined;
    const lease = new QueueLease(item, this.#leaseOwner);
    item.startProcessing();
    this.#processing += 1;
    this.#meter?.took(item, nowMs);
    return lease;
  }

  #mergeQueued(item: Item<K, R>, add: ItemAdd<R>): void {
    const raised = (add.priority ?? 0) > item.priority;
    if (!raised) return item.join(add, this.#mergeReason);
    this.#lanes.remove(item);
    this.#meter?.left(item.priority);
    item.join(add, this.#mergeReason);
    this.#lanes.push(item);
    this.#meter?.entered(item.priority);
  }

  #endLease(item: Item<K, R>): void {
    const nowMs = this.#measuredMs();
    this.#processing -= 1;
    this.#meter?.done(item, nowMs);
    if (item.state === "dirty") {
      this.#dirty -= 1;
      this.#enqueue(item, nowMs);
    } else {
      item.state = "idle";
      this.#idleItems += 1;
    }
    if (this.#closed) this.#checkDrained();
  }

  #addAfter(item: Item<K, R>, afterMs: number, options: AddOptions<R>): void {
    this.#meter?.retried();
    if (afterMs > 0) this.#addDelayed(item, this.#clock.monotonic() + afterMs, options);
    else this.#addNow(item, options);
  }

  #addDelayed(item: Item<K, R>, dueMs: number, add: ItemAdd<R>): void {
    const { priority = 0 } = add;
    const delayed = item.delayed ?? new DelayedAdd(item, dueMs, priority);
    delayed.addReasons(add, this.#mergeReason);
    if (!item.delayed) {
      item.delayed = delayed;
      return this.#delays.add(delayed);
    }
    delayed.priority = Math.max(delayed.priority, priority);
    if (dueMs >= delayed.dueMs) return;
    delayed.dueMs = dueMs;
    this.#delays.moveEarlier(delayed);
  }

  #onDue(delayed: DelayedAdd<K, R>): void {
    delayed.item.delayed = undefined;
    this.#addNow(delayed.item, delayed);
  }

  /** Returns the time if the queue has metrics, else 0: only metrics use it. */
  #measuredMs(): number {
    return this.#meter ? this.#clock.monotonic() : 0;
  }

  /**
   * Returns the time. Without metrics it reads the clock once until the microtask queue has drained, because reading a
   * clock costs as much as the rest of an add.
   */
  #nowMs(): number {
    if (this.#meter) return this.#clock.monotonic();
    if (this.#cachedMs === undefined) {
      this.#cachedMs = this.#clock.monotonic();
      void microtask.then(this.#dropCachedMs);
    }
    return this.#cachedMs;
  }

  readonly #dropCachedMs = (): void => {
    this.#cachedMs = undefined;
  };

  /** True if no key will be taken any more. */
  get #finished(): boolean {
    return this.#closed && this.#lanes.size === 0 && this.#dirty === 0;
  }

  #checkDrained(): void {
    if (this.#finished) for (const waiter of this.#waiters.splice(0)) waiter(over);
    const hasWork = this.#lanes.size > 0 && this.#workers > 0;
    if (!this.#closed || this.#processing > 0 || hasWork) return;
    this.#meter?.close();
    for (const resolve of this.#onDrained.splice(0)) resolve();
  }
}

const noReasons: ItemAdd<never> = {};

/** Number of idle items that are kept in any case, about 2 MB. */
const minIdleLimit = 16_384;

const over: IteratorReturnResult<undefined> = { done: true, value: undefined };

const microtask: Promise<void> = Promise.resolve();

function defaultLimiter<K>(clock: Clock): Limiter<K> {
  return maxOf(perKeyBackoff(), tokenBucket({ perSecond: 10, burst: 100, clock }));
}
