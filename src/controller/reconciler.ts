import { keyText, type ObjectKey, parseKey } from "../api/index.ts";
import {
  asError,
  type Deadline,
  deadline,
  type Logger,
  type Rng,
  sleep,
  unlessAborted,
  uuid,
} from "../base/index.ts";
import { ApiError } from "../client/index.ts";
import { type Monitor, Observation } from "../detector/index.ts";
import type { Lease, WorkQueue } from "../queue/index.ts";
import { CachingClient } from "./caching-client.ts";
import type { Context, Controller, Requeue } from "./controller.ts";
import { isTerminal, retryAfterMs } from "./errors.ts";
import { reasonOf } from "./event-reason.ts";
import { Finalizer } from "./finalizer.ts";
import type { Reason } from "./reason.ts";
import { ReconcileMeter, type ReconcileResult } from "./reconcile-meter.ts";
import type { Surroundings } from "./surroundings.ts";

export interface ReconcilerOptions {
  readonly controller: Controller;
  readonly surroundings: Surroundings;
  readonly queue: WorkQueue<string, Reason>;
  readonly rng: Rng;
}

/** Reconciles key after key, and says what becomes of each afterwards. */
export class Reconciler {
  readonly #controller: Controller;
  readonly #surroundings: Surroundings;
  readonly #queue: WorkQueue<string, Reason>;
  readonly #rng: Rng;
  readonly #log: Logger;
  readonly #meter: ReconcileMeter;
  readonly #finalizer: Finalizer | undefined;
  readonly #monitor: Monitor | undefined;
  /** When keys that failed are tried again. */
  readonly #retryMs = new Map<string, number>();
  readonly #working = new Set<string>();

  constructor({ controller, surroundings, queue, rng }: ReconcilerOptions) {
    const { name, options } = controller;
    const { log, metrics, client } = surroundings;
    this.#controller = controller;
    this.#surroundings = surroundings;
    this.#queue = queue;
    this.#rng = rng;
    this.#log = log.with({ controller: name });
    this.#meter = new ReconcileMeter(name, options.concurrency ?? 1, metrics);
    this.#finalizer = options.cleanup && new Finalizer({ controller, client });
    this.#monitor = surroundings.detector?.of(name);
  }

  /** The keys that are being reconciled. */
  get working(): readonly string[] {
    return [...this.#working];
  }

  /** One worker: takes key after key until `stop` aborts and what it is at has ended. */
  async work(stop: AbortSignal, cancel: AbortSignal): Promise<void> {
    for await (using lease of this.#queue) {
      if (stop.aborted) continue; // closed: what is left is handed back unread
      await this.#reconcile(lease, cancel);
    }
  }

  /** Queues the keys that come from elsewhere, until the signal aborts or no more come. */
  async listen(keys: AsyncIterable<ObjectKey | string>, signal: AbortSignal): Promise<void> {
    const source = keys[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await unlessAborted(source.next(), signal);
        if (next.done) return;
        const key = typeof next.value === "string" ? next.value : keyText(next.value);
        this.#queue.add(key, { reasons: [reasonOf("external", key)] });
      }
    } catch (error) {
      if (!signal.aborted)
        this.#log.error("a source of keys failed and is not listened to any more", { error });
      else void source.return?.();
    }
  }

  /** Queues every object again and again. */
  async poll(everyMs: number, signal: AbortSignal): Promise<void> {
    const { cache, clock } = this.#surroundings;
    const { for: kind } = this.#controller.options;
    try {
      for (;;) {
        await sleep(everyMs, { clock, signal });
        for (const key of cache.of(kind).keys()) {
          this.#queue.add(key, { reasons: [reasonOf("poll", key)], priority: -100 });
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #reconcile(lease: Taken, signal: AbortSignal): Promise<void> {
    const { clock } = this.#surroundings;
    const { key, reasons } = lease;
    const log = this.#log.with({ key, reconcile: uuid(this.#rng) });
    const beganMs = clock.monotonic();
    this.#working.add(key);
    this.#meter.began(reasons);
    let result: ReconcileResult = "error";
    try {
      result = await this.#try(lease, log, signal);
    } finally {
      this.#working.delete(key);
      this.#meter.ended(result, clock.monotonic() - beganMs);
    }
  }

  async #try(lease: Taken, log: Logger, signal: AbortSignal): Promise<ReconcileResult> {
    const { client: shared, cache, events } = this.#surroundings;
    const { key, reasons } = lease;
    using observation = this.#monitor && new Observation(this.#monitor, key, reasons);
    const isObserved = observation && shared instanceof CachingClient;
    const client = isObserved ? shared.observedBy(observation) : shared;
    using time = this.#time(key, signal);
    const attempt = this.#queue.retries(key) + 1;
    const context: Context = { client, cache, events, log, signal: time.signal, reasons, attempt };
    log.debug("reconciling", { reasons, attempt });
    try {
      const again = await this.#call(parseKey(key), context);
      time.signal.throwIfAborted();
      return this.#succeeded(lease, again);
    } catch (error) {
      const late = time.signal.aborted && time.signal.reason !== signal.reason;
      await this.#failed(lease, { thrown: signal.aborted ? signal.reason : error, late }, context);
      return "error";
    }
  }

  #time(key: string, signal: AbortSignal): Deadline {
    const { timeoutMs } = this.#controller.options;
    if (timeoutMs === undefined) return { signal, [Symbol.dispose]() {} };
    const { clock } = this.#surroundings;
    return deadline(timeoutMs, `the reconcile of ${key}`, { clock, signal });
  }

  /** The user's code: the clean-up of what goes, or the reconcile of what is. */
  async #call(key: ObjectKey, context: Context): Promise<Requeue | undefined> {
    const { reconcile } = this.#controller.options;
    const done = await this.#finalizer?.before(key, context);
    if (done) return done.again;
    return (await reconcile(key, context)) ?? undefined;
  }

  #succeeded({ key, priority }: Taken, again: Requeue | undefined): ReconcileResult {
    this.#queue.forget(key);
    this.#retryMs.delete(key);
    if (!again || !(again.requeueAfterMs > 0)) return "success";
    const reasons = [reasonOf("requeue", key)];
    this.#queue.add(key, { afterMs: again.requeueAfterMs, reasons, priority });
    this.#monitor?.requeued(key, again.requeueAfterMs);
    return "requeue_after";
  }

  async #failed(lease: Taken, { thrown, late }: Failure, context: Context): Promise<void> {
    const { key } = lease;
    const error = asError(thrown);
    const terminal = isTerminal(error);
    this.#meter.failed({ terminal, panic: !(thrown instanceof Error), timeout: late });
    if (terminal) this.#retryMs.delete(key);
    const afterMs = terminal ? undefined : this.#again(lease, error);
    const next = terminal
      ? "not tried again until something changes"
      : `tried again in ${Math.round(afterMs ?? 0)} ms`;
    context.log.error(`reconcile failed, ${next}`, {
      error,
      reasons: context.reasons,
      attempt: context.attempt,
    });
    try {
      await this.#controller.options.onError?.(error, parseKey(key), context);
    } catch (second) {
      context.log.error("onError failed", { error: asError(second) });
    }
  }

  /**
   * When it is tried again. A key that failed while its retry was still to come was reconciled for another reason: that
   * retry stands, and is not put off.
   */
  #again({ key, priority }: Taken, error: Error): number {
    const nowMs = this.#surroundings.clock.monotonic();
    const dueMs = this.#retryMs.get(key);
    if (dueMs !== undefined && dueMs > nowMs) return dueMs - nowMs;
    const reasons = [reasonOf("retry", key)];
    const asked = retryAfterMs(error) ?? (error instanceof ApiError ? error.retryAfterMs : undefined);
    const afterMs = asked ?? this.#queue.retry(key, { reasons, priority });
    if (asked !== undefined) this.#queue.add(key, { afterMs: asked, reasons, priority });
    this.#retryMs.set(key, nowMs + afterMs);
    this.#monitor?.requeued(key, afterMs);
    return afterMs;
  }
}

/** What comes again comes by the priority it had: what can wait at the start can wait when it failed. */
type Taken = Pick<Lease<string, Reason>, "key" | "reasons" | "priority">;

interface Failure {
  readonly thrown: unknown;
  /** It had no time left: its own, not that of whoever runs it. */
  readonly late: boolean;
}
