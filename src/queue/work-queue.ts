import { type Clock, type Metrics, realClock, unreachable } from "../base/index.ts";
import { Delays } from "./delays.ts";
import { Item, type ItemAdd, Later } from "./item.ts";
import { Lanes } from "./lanes.ts";
import { type Holder, type Lease, QueueLease } from "./lease.ts";
import { type Limiter, maxOf, perKeyBackoff, tokenBucket } from "./limiters.ts";
import { QueueMeter } from "./queue-meter.ts";
import { keepNewest, type MergeReason } from "./reason-list.ts";

export interface WorkQueueOptions<K = string, R = unknown> {
  /** Stands in the metrics; without a name there are none. */
  readonly name?: string | undefined;
  /** How long `retry` waits. @default 5 ms to 1000 s for each key, and 10 a second, 100 at once, for all together */
  readonly limiter?: Limiter<K> | undefined;
  /** Who has waited so long leaves before all who came later, whatever their priority. @default 60,000 */
  readonly maxWaitMs?: number | undefined;
  /** Adds a reason to those that a key already has. @default keeps the newest 16 */
  readonly mergeReason?: MergeReason<R> | undefined;
  readonly metrics?: Metrics | undefined;
  readonly clock?: Clock | undefined;
}

export interface AddOptions<R = unknown> {
  /** Not before so many milliseconds from now. @default 0 */
  readonly afterMs?: number | undefined;
  /** The higher, the sooner. A key added twice leaves by the higher. @default 0 */
  readonly priority?: number | undefined;
  /** Why the key is added. The reasons of several adds are merged and delivered together, oldest first. */
  readonly reasons?: readonly R[] | undefined;
  /** How many reasons `reasons` stands for, if the caller has merged some. @default the number of `reasons` */
  readonly reasonCount?: number | undefined;
}

export interface RetryOptions<R = unknown> extends Omit<AddOptions<R>, "afterMs"> {
  /** The delay is at least this long. The retry counts either way. @default 0 */
  readonly atLeastMs?: number | undefined;
}

/**
 * Hands out keys, each to one worker at a time.
 *
 * - Fair: of one priority, keys leave in the order they were first added.
 * - Stingy: a key added many times before it leaves, leaves once; a key added while it is out leaves again after it is
 *   handed back. Keys are the same when a `Map` says so.
 * - Patient: a key may be added for later. Of two such adds the earlier counts, and neither an add for now nor its work
 *   undoes it.
 * - Drainable: after `close()` nothing is accepted, what waits for its time is dropped, and iteration ends when
 *   all that was accepted has left.
 *
 * Any number of workers may iterate. Nothing is promised about which gets a key.
 *
 * ```
 *   add(afterMs) ─▶ delayed ─▶ add ─▶ in line ─▶ out ─▶ handed back
 *                                       ▲         └ added meanwhile ┐
 *                                       └───────────────────────────┘
 * ```
 */
export class WorkQueue<K = string, R = unknown> implements AsyncIterable<Lease<K, R>>, AsyncDisposable {
  readonly #clock: Clock;
  readonly #limiter: Limiter<K>;
  readonly #mergeReason: MergeReason<R>;
  readonly #meter: QueueMeter | undefined;
  /** Of each key in line, out or for later, and of some that rest: one that comes again needs no new item. */
  readonly #items = new Map<K, Item<K, R>>();
  /** How many of them are neither in line nor out. */
  #resting = 0;
  #restingLimit = keptResting;
  /** Those in line. */
  readonly #lanes: Lanes<Item<K, R>>;
  readonly #delays: Delays<Later<K, R>>;
  /** Workers that wait for a key: there are none while keys are in line. */
  readonly #idle: ((result: IteratorResult<Lease<K, R>, undefined>) => void)[] = [];
  readonly #holder: Holder<K, R> = { handBack: (item) => this.#handBack(item) };
  #workers = 0;
  #out = 0;
  /** How many of the keys that are out will leave again. */
  #promised = 0;
  #closed = false;
  #onDrained: (() => void)[] = [];
  /** The time, until this turn of the event loop's queue of promises is over. */
  #turnMs: number | undefined = undefined;

  constructor(options: WorkQueueOptions<K, R> = {}) {
    const { name, metrics, maxWaitMs = 60_000, clock = realClock } = options;
    this.#clock = clock;
    this.#mergeReason = options.mergeReason ?? keepNewest;
    this.#limiter = options.limiter ?? defaultLimiter(clock);
    this.#meter = name && metrics ? new QueueMeter(name, metrics, clock) : undefined;
    this.#lanes = new Lanes(maxWaitMs, clock);
    this.#delays = new Delays(clock, (later) => this.#due(later));
  }

  /** How many keys are in line. */
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

  /** Whether a delayed add of the key is still to come. */
  isDelayed(key: K): boolean {
    return this.#items.get(key)?.later !== undefined;
  }

  /** The key did well: its next retry waits as the first does. */
  forget(key: K): void {
    this.#limiter.forget(key);
  }

  /** How often the key was retried since it was forgotten. */
  retries(key: K): number {
    return this.#limiter.retries(key);
  }

  /** The next key, if one is in line: for who has a loop of their own. */
  take(): Lease<K, R> | undefined {
    return this.#lanes.size === 0 ? undefined : this.#take(this.#measuredMs());
  }

  /**
   * Accepts no more, lets what was accepted leave, and resolves when all leases are back. What is in line when nobody
   * iterates stays there.
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
    const leave = (): typeof over => {
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
      if (this.#finished) return Promise.resolve(leave());
      return new Promise((resolve) => this.#idle.push((result) => resolve(result.done ? leave() : result)));
    };
    return { next, return: () => Promise.resolve(leave()) };
  }

  #newItem(key: K): Item<K, R> {
    if (this.#resting > this.#restingLimit) this.#dropResting();
    const item = new Item<K, R>(key);
    this.#items.set(key, item);
    this.#resting += 1;
    return item;
  }

  /** Of all but those for later. It goes through all items, so the more are left, the longer until the next time. */
  #dropResting(): void {
    for (const { key, place, later } of this.#items.values())
      if (place === "idle" && later === undefined && this.#items.delete(key)) this.#resting -= 1;
    this.#restingLimit = keptResting + 2 * this.#items.size;
  }

  #addNow(item: Item<K, R>, add: ItemAdd<R>): void {
    switch (item.place) {
      case "idle":
        this.#resting -= 1;
        this.#begin(item, add);
        return this.#enqueue(item, item.sinceMs);
      case "processing":
        item.place = "dirty";
        this.#promised += 1;
        return this.#begin(item, add);
      case "dirty":
        return item.join(add, this.#mergeReason);
      case "queued":
        return this.#rejoin(item, add);
      default:
        return unreachable(item.place);
    }
  }

  /** Counted here: a key added while it is out is one add, however often. */
  #begin(item: Item<K, R>, add: ItemAdd<R>): void {
    item.begin(add, this.#mergeReason);
    item.sinceMs = this.#nowMs();
    this.#meter?.added();
  }

  /** @param nowMs where it is measured */
  #enqueue(item: Item<K, R>, nowMs: number): void {
    item.place = "queued";
    this.#lanes.push(item);
    this.#meter?.entered(item.priority);
    if (this.#idle.length === 0) return;
    const worker = this.#idle.shift();
    const lease = worker && this.#take(nowMs);
    if (lease) worker({ done: false, value: lease });
  }

  /** @param nowMs where it is measured */
  #take(nowMs: number): Lease<K, R> | undefined {
    const item = this.#lanes.shift();
    if (!item) return undefined;
    const lease = new QueueLease(item, this.#holder);
    item.leave();
    this.#out += 1;
    this.#meter?.took(item, nowMs);
    return lease;
  }

  #rejoin(item: Item<K, R>, add: ItemAdd<R>): void {
    const rises = (add.priority ?? 0) > item.priority;
    if (!rises) return item.join(add, this.#mergeReason);
    this.#lanes.remove(item);
    this.#meter?.left(item.priority);
    item.join(add, this.#mergeReason);
    this.#lanes.push(item);
    this.#meter?.entered(item.priority);
  }

  #handBack(item: Item<K, R>): void {
    const nowMs = this.#measuredMs();
    this.#out -= 1;
    this.#meter?.done(item, nowMs);
    if (item.place === "dirty") {
      this.#promised -= 1;
      this.#enqueue(item, nowMs);
    } else {
      item.place = "idle";
      this.#resting += 1;
    }
    if (this.#closed) this.#checkDrained();
  }

  #addAfter(item: Item<K, R>, afterMs: number, options: AddOptions<R>): void {
    this.#meter?.retried();
    if (afterMs > 0) this.#addLater(item, this.#clock.monotonic() + afterMs, options);
    else this.#addNow(item, options);
  }

  #addLater(item: Item<K, R>, dueMs: number, add: ItemAdd<R>): void {
    const { priority = 0 } = add;
    const later = item.later ?? new Later(item, dueMs, priority);
    later.addReasons(add, this.#mergeReason);
    if (!item.later) {
      item.later = later;
      return this.#delays.add(later);
    }
    later.priority = Math.max(later.priority, priority);
    if (dueMs >= later.dueMs) return;
    later.dueMs = dueMs;
    this.#delays.hasten(later);
  }

  #due(later: Later<K, R>): void {
    later.item.later = undefined;
    this.#addNow(later.item, later);
  }

  /** The time, where it is measured: nobody else looks at it. */
  #measuredMs(): number {
    return this.#meter ? this.#clock.monotonic() : 0;
  }

  /** To the turn, not to the microsecond, unless it is measured: to read a clock costs as much as all else in an add. */
  #nowMs(): number {
    if (this.#meter) return this.#clock.monotonic();
    if (this.#turnMs === undefined) {
      this.#turnMs = this.#clock.monotonic();
      void turnOver.then(this.#endTurn);
    }
    return this.#turnMs;
  }

  readonly #endTurn = (): void => {
    this.#turnMs = undefined;
  };

  /** Nothing will leave any more. */
  get #finished(): boolean {
    return this.#closed && this.#lanes.size === 0 && this.#promised === 0;
  }

  #checkDrained(): void {
    if (this.#finished) for (const rest of this.#idle.splice(0)) rest(over);
    const stays = this.#lanes.size > 0 && this.#workers > 0;
    if (!this.#closed || this.#out > 0 || stays) return;
    this.#meter?.close();
    for (const resolve of this.#onDrained.splice(0)) resolve();
  }
}

const noReasons: ItemAdd<never> = {};

/** So many keys that rest are kept at most, about 2 MB. */
const keptResting = 16_384;

const over: IteratorReturnResult<undefined> = { done: true, value: undefined };

const turnOver: Promise<void> = Promise.resolve();

function defaultLimiter<K>(clock: Clock): Limiter<K> {
  return maxOf(perKeyBackoff(), tokenBucket({ perSecond: 10, burst: 100, clock }));
}
