import { kindName, type ObjectKey, parseKey } from "../api/index.ts";
import {
  AbortPool,
  asError,
  type Clock,
  type Logger,
  onAbort,
  type Rng,
  type Span,
  sleep,
  TimeoutError,
  type Timer,
  type Tracer,
} from "../base/index.ts";
import type { Monitor } from "../detector/index.ts";
import type { Lease, WorkQueue } from "../queue/index.ts";
import { type ActiveReconcile, ActiveReconciles } from "./active-reconciles.ts";
import { CallSites } from "./call-sites.ts";
import type { Context, Controller, Requeue } from "./controller.ts";
import type { ControllerEnvironment } from "./controller-environment.ts";
import { isTerminal, TerminalError } from "./errors.ts";
import { Finalizer } from "./finalizer.ts";
import { releaseReason } from "./merged-reason.ts";
import { isUnowned } from "./owner-keys.ts";
import type { Reason } from "./reason.ts";
import { ReconcileContext, type SharedContext } from "./reconcile-context.ts";
import { ReconcileMeter, type ReconcileResult } from "./reconcile-meter.ts";
import { traceReconcile } from "./reconcile-span.ts";
import { RetrySchedule } from "./retry-schedule.ts";
import type { LastReconcile } from "./uncaught-errors.ts";

export interface ReconcilerOptions {
  readonly controller: Controller;
  readonly environment: ControllerEnvironment;
  readonly queue: WorkQueue<string, Reason>;
  readonly rng: Rng;
}

/** Reconciles key after key, and says what becomes of each afterwards. */
export class Reconciler {
  readonly #controller: Controller;
  readonly #environment: ControllerEnvironment;
  readonly #queue: WorkQueue<string, Reason>;
  readonly #clock: Clock;
  /** What every reconcile is given. */
  readonly #shared: SharedContext;
  readonly #log: Logger;
  readonly #meter: ReconcileMeter;
  readonly #finalizer: Finalizer | undefined;
  readonly #monitor: Monitor | undefined;
  readonly #retries: RetrySchedule;
  readonly #runs: ActiveReconciles;
  /** When others last had a turn, and when a reconcile last ended. */
  #turnedMs = 0;
  #endedMs = 0;
  #endedKey: string | undefined;
  /** Nothing is taken any more: what fails now is not tried again here. */
  #stopping = false;

  constructor({ controller, environment, queue, rng }: ReconcilerOptions) {
    const { name, options } = controller;
    const { log, metrics, clock } = environment;
    this.#controller = controller;
    this.#environment = environment;
    this.#queue = queue;
    this.#clock = clock;
    this.#log = log.with({ controller: name });
    this.#runs = new ActiveReconciles({
      longMs: (options.timeoutMs ?? 0) + longMs,
      clock,
      log: this.#log,
    });
    this.#meter = new ReconcileMeter(name, options.concurrency ?? 1, metrics);
    this.#finalizer = options.cleanup && new Finalizer({ ...options, kind: options.for });
    this.#monitor = environment.detector?.of(name, { isUnowned: isUnowned(options) });
    this.#retries = new RetrySchedule({ controller: name, queue, clock, monitor: this.#monitor });
    this.#shared = {
      environment,
      controller: name,
      monitor: this.#monitor,
      log: this.#log,
      rng,
      callSites: new CallSites(),
      aborts: new AbortPool(),
    };
  }

  /** The keys that are being reconciled. */
  get working(): readonly string[] {
    return this.#runs.keys;
  }

  /** The reconcile that ended last, by the clock's monotonic time. */
  get last(): LastReconcile | undefined {
    const key = this.#endedKey;
    return key === undefined ? undefined : { key, endedMs: this.#endedMs };
  }

  /** One worker: takes key after key until `stop` aborts and what it is at has ended. */
  async work(stop: AbortSignal, cancel: AbortSignal): Promise<void> {
    using _stop = onAbort(stop, () => {
      this.#stopping = true;
    });
    const { tracer } = this.#environment;
    let run: Run | undefined;
    // One listener for each worker, not one for each reconcile.
    using _cancel = onAbort(cancel, (reason) => run?.context.abort({ reason, timeout: false }));
    for await (const lease of this.#queue) {
      run = this.#begin(lease, cancel);
      if (!run) continue;
      try {
        await (tracer ? this.#traced(run, tracer) : this.#try(run));
      } finally {
        this.#end(run);
        run = undefined;
      }
      if (this.#isTurn) await this.#turn(stop);
    }
    if (this.#runs.size === 0) this.#runs.close();
  }

  /** Waits until timers and the network have run: reconciles that wait for nothing would leave no time to them. */
  async #turn(stop: AbortSignal): Promise<void> {
    this.#turnedMs = this.#endedMs;
    const clock = this.#clock;
    await sleep(0, { clock, signal: stop }).catch(() => {}); // it rejects when `stop` aborts, which also ends the turn
  }

  get #isTurn(): boolean {
    return this.#queue.size > 0 && this.#endedMs - this.#turnedMs >= turnMs;
  }

  /** Begins the reconcile of a key, unless the controller stops or nothing but its own finalizer asks for it. */
  #begin(lease: Lease<string, Reason>, cancel: AbortSignal): Run | undefined {
    const { key, reasons, reasonCount } = lease;
    if (this.#stopping || this.#finalizer?.consumeOwnEcho(key, reasons)) {
      for (const reason of reasons) releaseReason(reason);
      lease[Symbol.dispose]();
      return undefined;
    }
    const attempt = this.#retries.attempt(key);
    const context = new ReconcileContext(this.#shared, { key, reasons, reasonCount, attempt });
    if (cancel.aborted) context.abort({ reason: cancel.reason, timeout: false });
    const timeout = this.#timeout(key, context);
    const beganMs = this.#clock.monotonic();
    const run: Run = { key, lease, context, timeout, cancel, beganMs, result: "error", told: false };
    this.#runs.began(run);
    this.#meter.began(reasons);
    return run;
  }

  /** Ends the reconcile and hands its key back to the queue. */
  #end(run: Run): void {
    const { key, context, lease, timeout, beganMs, result } = run;
    context.end();
    timeout?.cancel();
    this.#runs.ended(run);
    this.#endedMs = this.#clock.monotonic();
    this.#endedKey = key;
    this.#meter.ended(result, this.#endedMs - beganMs);
    lease[Symbol.dispose]();
  }

  #traced(run: Run, tracer: Tracer): Promise<ReconcileResult> {
    const { name: controller, options } = this.#controller;
    const { key, lease, beganMs } = run;
    const { id, attempt } = run.context;
    const { reasons, reasonCount } = lease;
    const kind = kindName(options.for);
    const waitedMs = beganMs - lease.sinceMs;
    const traced = { controller, kind, key, id, attempt, reasons, reasonCount, waitedMs };
    return traceReconcile(tracer, traced, (span) => this.#try(run, span));
  }

  async #try(run: Run, span?: Span): Promise<ReconcileResult> {
    try {
      run.result = this.#succeeded(run, await this.#call(run));
    } catch (error) {
      await this.#failed(run, error, span);
    }
    return run.result;
  }

  #timeout(key: string, context: ReconcileContext): Timer | undefined {
    const { timeoutMs } = this.#controller.options;
    if (timeoutMs === undefined) return undefined;
    return this.#clock.timer(timeoutMs, () => {
      const text = `expected an end of the reconcile of ${key} within ${timeoutMs} ms, got none`;
      context.abort({ reason: new TimeoutError(text), timeout: true });
    });
  }

  /** The user's code: the clean-up of what goes, or the reconcile of what is. */
  #call({ key: text, context }: Run): Promise<Requeue | undefined> {
    if (this.#log.writes?.("debug") !== false) {
      const { reasons, reasonCount, attempt } = context;
      context.log.debug("reconciling", { reasons, reasonCount, attempt });
    }
    const key = objectKey(text);
    if (this.#finalizer) return this.#afterCleanup(this.#finalizer, key, context);
    return this.#controller.options.reconcile(key, context) as Promise<Requeue | undefined>; // or nothing
  }

  async #afterCleanup(finalizer: Finalizer, key: ObjectKey, context: Context): Promise<Requeue | undefined> {
    const done = await finalizer.before(key, context);
    if (done) return done.again;
    return (await this.#controller.options.reconcile(key, context)) ?? undefined;
  }

  /** Unless its time was over before it said so. */
  #succeeded({ key, lease, context }: Run, again: Requeue | undefined): ReconcileResult {
    if (context.aborted) throw context.aborted.reason;
    if (again) return this.#retries.requeue(lease, again);
    this.#retries.succeeded(key);
    return "success";
  }

  async #failed(run: Run, failure: unknown, span?: Span): Promise<void> {
    const { context, cancel } = run;
    const timeout = context.aborted?.timeout ?? false;
    const thrown: unknown = cancel.aborted ? cancel.reason : failure;
    const error = asError(thrown);
    span?.fail(error);
    const terminal = isTerminal(error);
    this.#meter.failed({ terminal, panic: error !== thrown, timeout });
    if (terminal) this.#retries.failedForGood(run.key);
    await this.#tell(run, error, terminal ? undefined : this.#retries.retry(run.lease, error));
  }

  /** @param afterMs when it is tried again, if it is */
  async #tell({ key, context }: Run, error: Error, afterMs: number | undefined): Promise<void> {
    const { reasons, reasonCount, attempt } = context;
    context.log.error(`reconcile failed, ${this.#next(afterMs)}`, { error, reasons, reasonCount, attempt });
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

/** One reconcile. */
interface Run extends ActiveReconcile {
  readonly lease: Lease<string, Reason>;
  readonly context: ReconcileContext;
  /** Aborts it after `timeoutMs`, where the controller has one. */
  readonly timeout: Timer | undefined;
  readonly cancel: AbortSignal;
  /** How it ended. */
  result: ReconcileResult;
}
