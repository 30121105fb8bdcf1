import { type KubeObject, keyOf } from "../../api/index.ts";
import {
  type Clock,
  type Deferred,
  deferred,
  Fifo,
  Milestone,
  realClock,
  TimeSlice,
  unlessAborted,
} from "../../base/index.ts";
import { appendDelta, type Delta, type Deltas, newestDelta, type QueuedDeltas } from "./delta.ts";
import type { ReflectorSink } from "./reflector-sink.ts";
import { RequeueError } from "./requeue-error.ts";

export interface DeltaFifoOptions<T extends KubeObject> {
  /**
   * The store that the consumer keeps, such as an `Indexer`. A delete of an object that neither it nor the queue has is
   * dropped; `replace` deletes what it has, and `resync` repeats it. @default none: only queued objects are known
   */
  readonly known?: KnownObjects<T> | undefined;
  /** Times the pauses of a consumer. @default the real clock */
  readonly clock?: Clock | undefined;
}

/** The objects that a consumer has processed. An `Indexer` and a `Lister` are some. */
export interface KnownObjects<T extends KubeObject> {
  keys(): Iterable<string>;
  get(key: string): T | undefined;
}

export interface PopOptions {
  /** Ends the wait for a key. A key that is being processed is not interrupted. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Processes the deltas of one object.
 *
 * @param context `initial` is true if the object is in the first list and has not been processed yet
 */
export type PopProcess<T extends KubeObject> = (
  key: string,
  deltas: Deltas<T>,
  context: { readonly initial: boolean },
) => unknown;

/**
 * A queue of the changes of a collection, by object: between a reflector, which adds, and a consumer, which pops.
 *
 * ```ts
 * const known = new Indexer<Pod>();
 * const fifo = new DeltaFifo<Pod>({ known });
 * void reflector({ client, kind: Pod, sink: fifo }).run({ signal });
 * while (await fifo.pop((key, deltas) => apply(deltas, known), { signal }));
 * ```
 *
 * - Keys are popped in the order in which they were first queued, each with all its deltas, oldest first. No delta is
 *   dropped, except one of two deletes in a row, and the delete of an unknown object.
 * - One key is processed at a time, also if several callers pop, so the deltas of an object are processed in order.
 * - While a key is processed, it counts as known in its newest version: a list without it queues its delete.
 */
export class DeltaFifo<T extends KubeObject> implements ReflectorSink<T>, Disposable {
  readonly #known: KnownObjects<T>;
  readonly #slice: TimeSlice;
  /** Keys in the order of `pop`. It has the keys of `#items`, each once. */
  readonly #queue = new Fifo<string>();
  readonly #items = new Map<string, QueuedDeltas<T>>();
  /** Number of queued deltas. */
  #size = 0;
  #processing: { readonly key: string; readonly deltas: Deltas<T> } | undefined;
  /** Keys of the first list that have not been processed; `undefined` before the first write. */
  #initial: Set<string> | undefined;
  readonly #synced = new Milestone();
  /** Resolves when all calls of `pop` so far have ended. */
  #popped: Promise<void> = Promise.resolve();
  /** Resolves when a key is queued, or the queue is closed. At most one `pop` waits for it; the others wait for their turn. */
  #changed: Deferred<void> | undefined;
  #drained: (() => void)[] = [];
  #closed = false;

  constructor({ known = nothing, clock = realClock }: DeltaFifoOptions<T> = {}) {
    this.#known = known;
    this.#slice = new TimeSlice(clock);
  }

  /** True if the first list has been processed, or the first write was not a list. */
  get hasSynced(): boolean {
    return this.#synced.reached;
  }

  /** Resolves when `hasSynced` is true. Rejects if the queue is closed before. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** Number of queued keys. */
  get size(): number {
    return this.#items.size;
  }

  /** Number of queued deltas. A reflector stops reading if they are more than 1,000. */
  get backlog(): number {
    return this.#closed ? 0 : this.#size;
  }

  /** Returns the queued keys in the order of `pop`. */
  keys(): string[] {
    return [...this.#items.keys()]; // a map keeps the order of insertion
  }

  /** Returns the queued deltas of a key. */
  deltas(key: string): Deltas<T> | undefined {
    return this.#items.get(key);
  }

  /** Returns the newest version of an object, queued or known. `undefined` if it was deleted. */
  get(key: string): T | undefined {
    const newest = this.#newest(key);
    if (!newest) return this.#known.get(key);
    return newest.type === "deleted" ? undefined : newest.object;
  }

  add(object: T): void {
    this.#write(keyOf(object), { type: "added", object });
  }

  update(object: T): void {
    this.#write(keyOf(object), { type: "updated", object });
  }

  /** Queues a delete, unless the object is neither queued nor known. */
  delete(object: T): void {
    const key = keyOf(object);
    if (this.#isKnown(key)) this.#write(key, { type: "deleted", object, missed: false });
    else this.#setInitial();
  }

  /**
   * Queues a complete list as `replaced`, and then a missed delete of each queued or known object that is not in it.
   * The queue is synced when the keys that are queued after the first list have been processed.
   */
  replace(objects: readonly T[]): void {
    if (this.#closed) return;
    const listed = new Map(objects.map((object) => [keyOf(object), object]));
    for (const object of objects) this.#push(keyOf(object), { type: "replaced", object });
    for (const [key, object] of this.#missing(listed))
      this.#push(key, { type: "deleted", object, missed: true });
    this.#setInitial(this.#items.keys());
  }

  /** Queues `sync` for each known object that is neither queued nor being processed. */
  resync(): void {
    if (this.#closed) return;
    for (const key of this.#known.keys()) {
      const object = this.#newest(key) ? undefined : this.#known.get(key);
      if (object) this.#push(key, { type: "sync", object });
    }
  }

  /** Queues deltas for a key that is not queued. Does nothing for one that is. */
  addIfNotPresent(key: string, deltas: Deltas<T>): void {
    if (this.#closed) return;
    if (!this.#items.has(key)) for (const delta of deltas) this.#push(key, delta);
    this.#setInitial();
  }

  /**
   * Waits for a key, removes it from the queue, and processes its deltas. Rejects with the error of `process`; the
   * deltas are then lost, unless it is a `RequeueError`.
   *
   * @returns false if the queue was closed and is empty, or the signal has aborted
   */
  async pop(process: PopProcess<T>, { signal }: PopOptions = {}): Promise<boolean> {
    const before = this.#popped;
    const ended = deferred();
    this.#popped = before.then(() => ended.promise);
    try {
      const key = await this.#next(before, signal);
      if (key === undefined) return false;
      await this.#process(key, process);
      return true;
    } finally {
      ended.resolve();
    }
  }

  /** Calls `run` once, when no delta is queued. */
  whenDrained(run: () => void): void {
    this.#drained.push(run);
    this.#checkDrained();
  }

  /** Accepts no further change. Queued ones can still be popped. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#changed?.resolve();
    this.#synced.fail(new Error("delta FIFO closed before its first list was processed"));
    this.#checkDrained();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #write(key: string, delta: Delta<T>): void {
    if (this.#closed) return;
    this.#push(key, delta);
    this.#setInitial();
  }

  #push(key: string, delta: Delta<T>): void {
    const deltas = this.#items.get(key);
    if (!deltas) return this.#queueKey(key, [delta]);
    const before = deltas.length;
    appendDelta(deltas, delta);
    this.#size += deltas.length - before;
  }

  #queueKey(key: string, deltas: QueuedDeltas<T>): void {
    this.#items.set(key, deltas);
    this.#queue.push(key);
    this.#size += deltas.length;
    this.#changed?.resolve();
  }

  /** Called after every write. Only the first one has an effect. @param keys the keys of the first list */
  #setInitial(keys: Iterable<string> = []): void {
    if (this.#initial) return;
    this.#initial = new Set(keys);
    this.#checkSynced();
  }

  #checkSynced(): void {
    if (this.#initial?.size === 0) this.#synced.reach();
  }

  /** Returns the newest delta of a key that is queued or being processed. */
  #newest(key: string): Delta<T> | undefined {
    const running = this.#processing?.key === key ? this.#processing.deltas : undefined;
    const deltas = this.#items.get(key) ?? running;
    return deltas && newestDelta(deltas);
  }

  #isKnown(key: string): boolean {
    return this.#items.has(key) || this.get(key) !== undefined;
  }

  /** Yields the newest version of each existing object that is not listed: queued objects first. */
  *#missing(listed: ReadonlyMap<string, T>): Generator<[string, T], void, void> {
    const running = this.#processing ? [this.#processing.key] : [];
    const keys = new Set([...this.#items.keys(), ...running, ...this.#known.keys()]);
    for (const key of keys) {
      const object = listed.has(key) ? undefined : this.get(key);
      if (object) yield [key, object];
    }
  }

  /** Returns the next key when it is this caller's turn. */
  async #next(turn: Promise<void>, signal: AbortSignal | undefined): Promise<string | undefined> {
    try {
      await unlessAborted(turn, signal);
      if (this.#slice.over) await this.#slice.pause();
      while (this.#queue.size === 0 && !this.#closed) {
        this.#changed = deferred();
        await unlessAborted(this.#changed.promise, signal);
      }
    } catch {
      return undefined; // only the signal rejects
    }
    return signal?.aborted ? undefined : this.#queue.shift();
  }

  async #process(key: string, process: PopProcess<T>): Promise<void> {
    const deltas = this.#items.get(key);
    if (!deltas) throw new Error(`expected deltas of ${key} in the queue, got none`);
    this.#items.delete(key);
    this.#size -= deltas.length;
    this.#processing = { key, deltas };
    try {
      await process(key, deltas, { initial: this.#initial?.has(key) ?? false });
      this.#processed(key);
    } catch (error) {
      if (!(error instanceof RequeueError)) {
        this.#processed(key);
        throw error;
      }
      this.#requeue(key, deltas);
      if (error.cause !== undefined) throw error.cause;
    } finally {
      this.#processing = undefined;
      this.#checkDrained();
    }
  }

  #processed(key: string): void {
    this.#initial?.delete(key);
    this.#checkSynced();
  }

  /** Queues deltas again, before those that were queued meanwhile. */
  #requeue(key: string, [first, ...rest]: Deltas<T>): void {
    const later = this.#items.get(key);
    const all: QueuedDeltas<T> = [first, ...rest];
    for (const delta of later ?? []) appendDelta(all, delta);
    if (!later) return this.#queueKey(key, all);
    this.#items.set(key, all);
    this.#size += all.length - later.length;
  }

  #checkDrained(): void {
    if (this.backlog > 0) return;
    for (const run of this.#drained.splice(0)) run();
  }
}

const nothing: KnownObjects<never> = { keys: () => [], get: () => undefined };
