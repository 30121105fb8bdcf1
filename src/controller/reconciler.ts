import { kindName, type ObjectKey, parseKey } from "../api/index.ts";
import {
  asError,
  type Deadline,
  deadline,
  follow,
  type Logger,
  type Rng,
  type Span,
  sleep,
  type Tracer,
} from "../base/index.ts";
import { ApiError } from "../client/index.ts";
import type { Monitor } from "../detector/index.ts";
import type { Lease, WorkQueue } from "../queue/index.ts";
import type { Context, Controller, Requeue } from "./controller.ts";
import { isTerminal, retryAfterMs, TerminalError } from "./errors.ts";
import { reasonOf } from "./event-reason.ts";
import { Finalizer } from "./finalizer.ts";
import type { Reason } from "./reason.ts";
import { ReconcileContext } from "./reconcile-context.ts";
import { ReconcileMeter, type ReconcileResult } from "./reconcile-meter.ts";
import { traceReconcile } from "./reconcile-span.ts";
import { RunId } from "./run-id.ts";
import { Runs } from "./runs.ts";
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
  /** Of keys that have not succeeded since: when they are tried again, and how often they were tried. */
  readonly #failures = new Map<string, { readonly dueMs: number; readonly tries: number }>();
  readonly #runs: Runs;
  /** When others last had a turn, and when a reconcile last ended. */
  #turnedMs = 0;
  #endedMs = 0;
  /** Nothing is taken any more: what fails now is not tried again here. */
  #stopping = false;

  constructor({ controller, surroundings, queue, rng }: ReconcilerOptions) {
    const { name, options } = controller;
    const { log, metrics, client } = surroundings;
    this.#controller = controller;
    this.#surroundings = surroundings;
    this.#queue = queue;
    this.#rng = rng;
    this.#log = log.with({ controller: name });
    this.#runs = new Runs({
      longMs: (options.timeoutMs ?? 0) + longMs,
      clock: surroundings.clock,
      log: this.#log,
    });
    this.#meter = new ReconcileMeter(name, options.concurrency ?? 1, metrics);
    this.#finalizer = options.cleanup && new Finalizer({ controller, client });
    this.#monitor = surroundings.detector?.of(name);
  }

  /** The keys that are being reconciled. */
  get working(): readonly string[] {
    return this.#runs.keys;
  }

  /** One worker: takes key after key until `stop` aborts and what it is at has ended. */
  async work(stop: AbortSignal, cancel: AbortSignal): Promise<void> {
    using _stop = follow(stop, () => {
      this.#stopping = true;
    });
    for await (const first of this.#queue) {
      let lease: Lease<string, Reason> | undefined = first;
      while (lease) {
        if (this.#stopping)
          lease[Symbol.dispose](); // what is left is handed back unread
        else {
          const run = this.#begin(lease, cancel);
          try {
            run.result = await this.#reconcile(run);
          } finally {
            this.#end(run);
          }
        }
        const turn = this.#turn(stop);
        if (turn) await turn;
        lease = this.#queue.take(); // no wait, where there is one
      }
    }
    if (this.#runs.size === 0) this.#runs.close();
  }

  /**
   * Reconciles that wait for nothing would, while there are keys, leave no time to timers and the network: what to wait for,
   * so that those have a turn, where it is time for one.
   */
  #turn(stop: AbortSignal): Promise<void> | undefined {
    if (this.#queue.size === 0 || this.#endedMs - this.#turnedMs < turnMs) return undefined;
    this.#turnedMs = this.#endedMs;
    const { clock } = this.#surroundings;
    return sleep(0, { clock, signal: stop }).catch(() => {}); // nobody waits for a turn at the end
  }

  #begin(lease: Lease<string, Reason>, cancel: AbortSignal): Run {
    const beganMs = this.#surroundings.clock.monotonic();
    this.#runs.began(lease.key, beganMs);
    this.#meter.began(lease.reasons);
    return { lease, id: new RunId(this.#rng), cancel, beganMs, result: "error" };
  }

  /** And hands the key back. */
  #end({ lease, beganMs, result }: Run): void {
    this.#runs.ended(lease.key);
    this.#endedMs = this.#surroundings.clock.monotonic();
    this.#meter.ended(result, this.#endedMs - beganMs);
    lease[Symbol.dispose]();
  }

  #reconcile(run: Run): Promise<ReconcileResult> {
    const { tracer } = this.#surroundings;
    return tracer ? this.#traced(run, tracer) : this.#try(run);
  }

  #traced(run: Run, tracer: Tracer): Promise<ReconcileResult> {
    const { name: controller, options } = this.#controller;
    const { id, lease } = run;
    const { key, reasons, sinceMs } = lease;
    const kind = kindName(options.for);
    const waitedMs = this.#surroundings.clock.monotonic() - sinceMs;
    const attempt = this.#attempt(key);
    const traced = { controller, kind, key, id, attempt, reasons, waitedMs };
    return traceReconcile(tracer, traced, (span) => this.#try(run, span));
  }

  async #try(run: Run, span?: Span): Promise<ReconcileResult> {
    const { lease, cancel } = run;
    const time = this.#time(lease.key, cancel);
    const signal = time?.signal ?? cancel;
    const context = this.#context(run, signal);
    try {
      const again = await this.#call(objectKey(lease.key), context);
      signal.throwIfAborted();
      return this.#succeeded(lease, again);
    } catch (error) {
      const late = signal.aborted && signal.reason !== cancel.reason;
      const thrown: unknown = cancel.aborted ? cancel.reason : error;
      span?.fail(asError(thrown));
      await this.#failed(lease, { thrown, late }, context);
      return "error";
    } finally {
      time?.[Symbol.dispose]();
      context.end();
    }
  }

  #context({ lease, id }: Run, signal: AbortSignal): ReconcileContext {
    const { key, reasons } = lease;
    const attempt = this.#attempt(key);
    const context = new ReconcileContext({
      surroundings: this.#surroundings,
      monitor: this.#monitor,
      log: this.#log,
      key,
      id,
      signal,
      reasons,
      attempt,
    });
    if (this.#log.writes?.("debug") !== false) context.log.debug("reconciling", { reasons, attempt });
    return context;
  }

  #attempt(key: string): number {
    return (this.#failures.get(key)?.tries ?? 0) + 1;
  }

  #time(key: string, signal: AbortSignal): Deadline | undefined {
    const { timeoutMs } = this.#controller.options;
    if (timeoutMs === undefined) return undefined;
    const { clock } = this.#surroundings;
    return deadline(timeoutMs, `the reconcile of ${key}`, { clock, signal });
  }

  /** The user's code: the clean-up of what goes, or the reconcile of what is. */
  #call(key: ObjectKey, context: Context): Promise<Requeue | undefined> {
    if (this.#finalizer) return this.#afterCleanup(this.#finalizer, key, context);
    return this.#controller.options.reconcile(key, context) as Promise<Requeue | undefined>; // or nothing
  }

  async #afterCleanup(finalizer: Finalizer, key: ObjectKey, context: Context): Promise<Requeue | undefined> {
    const done = await finalizer.before(key, context);
    if (done) return done.again;
    return (await this.#controller.options.reconcile(key, context)) ?? undefined;
  }

  #succeeded({ key, priority }: Taken, again: Requeue | undefined): ReconcileResult {
    this.#queue.forget(key);
    this.#failures.delete(key);
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
    if (terminal) this.#failures.set(key, { dueMs: 0, tries: context.attempt });
    const afterMs = terminal ? undefined : this.#again(lease, error);
    context.log.error(`reconcile failed, ${this.#next(afterMs)}`, {
      error,
      reasons: context.reasons,
      attempt: context.attempt,
    });
    try {
      await this.#controller.options.onError?.(error, objectKey(key), context);
    } catch (second) {
      context.log.error("onError failed", { error: asError(second) });
    }
  }

  #next(afterMs: number | undefined): string {
    if (afterMs === undefined) return "not tried again until something changes";
    if (this.#stopping) return "left to whoever runs next";
    return `tried again in ${Math.round(afterMs)} ms`;
  }

  /**
   * When it is tried again. A key that failed while its retry was still to come was reconciled for another reason: that
   * retry stands, and is not put off. Whether it is still to come is told by the reasons, not by the time: timers may run
   * out a moment early.
   */
  #again({ key, priority, reasons: why }: Taken, error: Error): number {
    const nowMs = this.#surroundings.clock.monotonic();
    const { dueMs, tries } = this.#failures.get(key) ?? { dueMs: 0, tries: 0 };
    const isRetry = why.some(({ event }) => event === "retry");
    if (dueMs > nowMs && !isRetry) return dueMs - nowMs;
    const reasons = [reasonOf("retry", key)];
    const asked = retryAfterMs(error) ?? (error instanceof ApiError ? error.retryAfterMs : undefined);
    const afterMs = asked ?? this.#queue.retry(key, { reasons, priority });
    if (asked !== undefined) this.#queue.add(key, { afterMs: asked, reasons, priority });
    this.#failures.set(key, { dueMs: nowMs + afterMs, tries: tries + 1 });
    this.#monitor?.requeued(key, afterMs);
    return afterMs;
  }
}

/** A reconcile that takes so long, or so much longer than it may, is not meant to. */
const longMs = 300_000;

/** So long, at most, others wait for a turn. */
const turnMs = 50;

/** What a queue has in line is what mappers and sources of the user's name: what is no key now will never be one. */
function objectKey(text: string): ObjectKey {
  try {
    return parseKey(text);
  } catch (error) {
    throw new TerminalError(asError(error).message, { cause: error });
  }
}

/** What comes again comes by the priority it had: what can wait at the start can wait when it failed. */
type Taken = Pick<Lease<string, Reason>, "key" | "reasons" | "priority" | "sinceMs">;

/** One reconcile. */
interface Run {
  readonly lease: Lease<string, Reason>;
  readonly id: RunId;
  /** Until when it may go on. */
  readonly cancel: AbortSignal;
  /** By the clock's monotonic time. */
  readonly beganMs: number;
  result: ReconcileResult;
}

interface Failure {
  readonly thrown: unknown;
  /** It had no time left: its own, not that of whoever runs it. */
  readonly late: boolean;
}
