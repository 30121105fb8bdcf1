import { type Clock, type Metrics, realClock } from "../base/index.ts";
import { Delays, type Due } from "./delays.ts";
import { Lanes } from "./lanes.ts";
import { type Limiter, maxOf, perKeyBackoff, tokenBucket } from "./limiters.ts";
import { QueueMeter } from "./queue-meter.ts";
import { type Lease, Ticket } from "./ticket.ts";

export interface WorkQueueOptions<K = string> {
  /** Stands in the metrics; without a name there are none. */
  readonly name?: string | undefined;
  /** How long `retry` waits. @default 5 ms to 1000 s for each key, and 10 a second, 100 at once, for all together */
  readonly limiter?: Limiter<K> | undefined;
  /** Who has waited so long leaves before all who came later, whatever their priority. @default 60,000 */
  readonly patienceMs?: number | undefined;
  readonly metrics?: Metrics | undefined;
  readonly clock?: Clock | undefined;
}

export interface AddOptions<R = unknown> {
  /** Not before so many milliseconds from now. @default 0 */
  readonly afterMs?: number | undefined;
  /** The higher, the sooner. A key added twice leaves by the higher. @default 0 */
  readonly priority?: number | undefined;
  /** Why. What several adds say is handed out together, in their order. */
  readonly reasons?: readonly R[] | undefined;
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
  readonly #meter: QueueMeter | undefined;
  /** Of each key in line or out. Those in line are in `#lanes` too. */
  readonly #tickets = new Map<K, Ticket<K, R>>();
  readonly #lanes: Lanes<Ticket<K, R>>;
  readonly #delayed = new Map<K, Delayed<K, R>>();
  readonly #delays: Delays<Delayed<K, R>>;
  /** Workers that wait for a key: there are none while keys are in line. */
  readonly #idle: ((result: IteratorResult<Lease<K, R>, undefined>) => void)[] = [];
  #workers = 0;
  #out = 0;
  /** How many of the keys that are out will leave again. */
  #promised = 0;
  #closed = false;
  #onDrained: (() => void)[] = [];

  constructor(options: WorkQueueOptions<K> = {}) {
    const { name, metrics, patienceMs = 60_000, clock = realClock } = options;
    this.#clock = clock;
    this.#limiter = options.limiter ?? defaultLimiter(clock);
    this.#meter = name && metrics ? new QueueMeter(name, metrics, clock) : undefined;
    this.#lanes = new Lanes(patienceMs, clock);
    this.#delays = new Delays(clock, (due) => this.#due(due));
  }

  /** How many keys are in line. */
  get size(): number {
    return this.#lanes.size;
  }

  add(key: K, options?: AddOptions<R>): void {
    if (this.#closed) return;
    const afterMs = options?.afterMs ?? 0;
    if (afterMs > 0) this.#addLater(key, this.#clock.monotonic() + afterMs, options);
    else this.#addNow(key, options?.priority ?? 0, options?.reasons);
  }

  /** Adds the key again after the delay that its limiter gives it. */
  retry(key: K, options?: Omit<AddOptions<R>, "afterMs">): void {
    if (this.#closed) return;
    this.#meter?.retried();
    this.add(key, { ...options, afterMs: this.#limiter.delayMs(key) });
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
    const ticket = this.#lanes.shift();
    if (!ticket) return undefined;
    ticket.leave(this.#handBack);
    this.#out += 1;
    this.#meter?.took(ticket, this.#lanes.size);
    return ticket;
  }

  /**
   * Accepts no more, lets what was accepted leave, and resolves when all leases are back. What is in line when nobody
   * iterates stays there.
   */
  async close(): Promise<void> {
    this.#closed = true;
    this.#delays.clear();
    this.#delayed.clear();
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

  #addNow(key: K, priority: number, reasons: readonly R[] | undefined): void {
    const ticket = this.#tickets.get(key);
    if (!ticket) this.#enqueue(this.#ticket(key, priority, reasons));
    else if (ticket.isOut) {
      if (!ticket.again) this.#promised += 1;
      ticket.again ??= this.#ticket(key, priority, undefined);
      ticket.again.join(Math.max(priority, ticket.again.priority), reasons);
    } else this.#rejoin(ticket, priority, reasons);
  }

  /** Counted when made: a key added while it is out is one add, however often. */
  #ticket(key: K, priority: number, reasons: readonly R[] | undefined): Ticket<K, R> {
    const ticket = new Ticket<K, R>(key, priority, this.#clock.monotonic());
    ticket.join(priority, reasons);
    this.#meter?.added();
    return ticket;
  }

  #enqueue(ticket: Ticket<K, R>): void {
    this.#tickets.set(ticket.key, ticket);
    this.#lanes.push(ticket);
    this.#meter?.depth(this.#lanes.size);
    const worker = this.#idle.shift();
    const lease = worker && this.take();
    if (lease) worker({ done: false, value: lease });
  }

  #rejoin(ticket: Ticket<K, R>, priority: number, reasons: readonly R[] | undefined): void {
    const rises = priority > ticket.priority;
    if (rises) this.#lanes.remove(ticket);
    ticket.join(Math.max(priority, ticket.priority), reasons);
    if (rises) this.#lanes.push(ticket);
  }

  readonly #handBack = (ticket: Ticket<K, R>): void => {
    this.#out -= 1;
    this.#meter?.done(ticket);
    this.#tickets.delete(ticket.key);
    if (ticket.again) {
      this.#promised -= 1;
      this.#enqueue(ticket.again);
    }
    this.#checkDrained();
  };

  #addLater(key: K, dueMs: number, { priority = 0, reasons = [] }: AddOptions<R> = {}): void {
    const delayed = this.#delayed.get(key);
    if (!delayed) {
      const first: Delayed<K, R> = { key, dueMs, priority, reasons, place: 0 };
      this.#delayed.set(key, first);
      return this.#delays.add(first);
    }
    delayed.priority = Math.max(delayed.priority, priority);
    delayed.reasons = [...delayed.reasons, ...reasons];
    if (dueMs >= delayed.dueMs) return;
    delayed.dueMs = dueMs;
    this.#delays.hasten(delayed);
  }

  #due({ key, priority, reasons }: Delayed<K, R>): void {
    this.#delayed.delete(key);
    this.#addNow(key, priority, reasons);
  }

  /** Nothing will leave any more. */
  get #finished(): boolean {
    return this.#closed && this.#lanes.size === 0 && this.#promised === 0;
  }

  #checkDrained(): void {
    if (this.#finished) for (const rest of this.#idle.splice(0)) rest(over);
    const stays = this.#lanes.size > 0 && this.#workers > 0;
    if (!this.#closed || this.#out > 0 || stays) return;
    for (const resolve of this.#onDrained.splice(0)) resolve();
  }
}

/** A key that waits for its time. */
interface Delayed<K, R> extends Due {
  readonly key: K;
  priority: number;
  reasons: readonly R[];
}

const over: IteratorReturnResult<undefined> = { done: true, value: undefined };

function defaultLimiter<K>(clock: Clock): Limiter<K> {
  return maxOf(perKeyBackoff(), tokenBucket({ perSecond: 10, burst: 100, clock }));
}
