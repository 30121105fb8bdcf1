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
  TimeSlice,
  type Tracer,
} from "../base/index.ts";
import type { Monitor } from "../detector/index.ts";
import type { Lease, WorkQueue } from "../queue/index.ts";
import { type ActiveReconcile, ActiveReconciles } from "./active-reconciles.ts";
import { CallSites } from "./call-sites.ts";
import { ChildSets } from "./child-sets.ts";
import type { Context, Controller, Requeue } from "./controller.ts";
import type { ControllerEnvironment } from "./controller-environment.ts";
import { isTerminal, TerminalError } from "./errors.ts";
import { Finalizer } from "./finalizer.ts";
import { releaseReason } from "./merged-reason.ts";
import { isUnowned } from "./owner-keys.ts";
import { type Reason, reasonOf } from "./reason.ts";
import { ReconcileContext, type SharedContext } from "./reconcile-context.ts";
import { ReconcileMeter, type ReconcileResult } from "./reconcile-meter.ts";
import { traceReconcile } from "./reconcile-span.ts";
import { RetrySchedule } from "./retry-schedule.ts";
import type { LastReconcile } from "./uncaught-errors.ts";
import { UnchangedApplies } from "./unchanged-applies.ts";
import { Until } from "./until.ts";
import type { Waits } from "./waits.ts";

export interface ReconcilerOptions {
  readonly controller: Controller;
  readonly environment: ControllerEnvironment;
  readonly queue: WorkQueue<string, Reason>;
  readonly rng: Rng;
  readonly waits: Waits;
}

/** Takes keys from the queue, reconciles them, and schedules retries and requeues. */
export class Reconciler {
  readonly #controller: Controller;
  readonly #environment: ControllerEnvironment;
  readonly #queue: WorkQueue<string, Reason>;
  readonly #clock: Clock;
  readonly #shared: SharedContext;
  readonly #log: Logger;
  readonly #meter: ReconcileMeter;
  readonly #finalizer: Finalizer | undefined;
  readonly #monitor: Monitor | undefined;
  readonly #retries: RetrySchedule;
  readonly #waits: Waits;
  readonly #active: ActiveReconciles;
  /** Monotonic time of the last pause for timers and the network. */
  #pausedMs = 0;
  /** Number of reconciles since the last pause. */
  #sincePause = 0;
  /** Monotonic time at which a reconcile last ended. */
  #endedMs = 0;
  /** Key of the reconcile that ended last. */
  #endedKey: string | undefined;
  /** True once `stop` has aborted. No key is taken then, and failures are not retried by this process. */
  #stopping = false;

  constructor({ controller, environment, queue, rng, waits }: ReconcilerOptions) {
    const { name, options } = controller;
    const { log, metrics, clock } = environment;
    this.#controller = controller;
    this.#environment = environment;
    this.#queue = queue;
    this.#waits = waits;
    this.#clock = clock;
    this.#log = log.with({ controller: name });
    this.#active = new ActiveReconciles({
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
      applies: skipsApplies(options) ? new UnchangedApplies(environment.cache, clock) : undefined,
      aborts: new AbortPool(),
      childSets: new ChildSets(controller, environment.cache),
      waits,
    };
  }

  /** Keys that are being reconciled. */
  get processing(): readonly string[] {
    return this.#active.keys;
  }

  /** The reconcile that ended last. */
  get last(): LastReconcile | undefined {
    const key = this.#endedKey;
    return key === undefined ? undefined : { key, endedMs: this.#endedMs };
  }

  /** Runs one worker: reconciles one key at a time until `stop` has aborted and the current reconcile has ended. */
  async work(stop: AbortSignal, cancel: AbortSignal): Promise<void> {
    using _stop = onAbort(stop, () => {
      this.#stopping = true;
    });
    const { tracer } = this.#environment;
    let run: Run | undefined;
    // Adds one listener per worker, not one per reconcile.
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
      this.#sincePause += 1;
      if (this.#needsPause) await this.#pause(stop);
      else if (this.#sincePause >= maxBurst) await this.#yield();
    }
    if (this.#active.size === 0) this.#active.close();
  }

  /**
   * Waits for one turn of the event loop. Reconciles that await only the cache would otherwise starve timers and the
   * network.
   */
  async #pause(stop: AbortSignal): Promise<void> {
    this.#pausedMs = this.#endedMs;
    this.#sincePause = 0;
    const clock = this.#clock;
    await sleep(0, { clock, signal: stop }).catch(() => {}); // it rejects when `stop` aborts, which also ends the pause
  }

  get #needsPause(): boolean {
    return this.#queue.size > 0 && this.#endedMs - this.#pausedMs >= pauseEveryMs;
  }

  /**
   * Waits for one turn of the event loop without the clock. A virtual clock stands still while keys are reconciled, so
   * that a loop of a key would hang the test run.
   */
  async #yield(): Promise<void> {
    this.#sincePause = 0;
    await new TimeSlice(this.#clock).pause();
  }

  /**
   * Begins a reconcile. Returns `undefined` if the controller stops, or if the echo of its own finalizer is the only
   * reason.
   */
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
    const startedMs = this.#clock.monotonic();
    const run: Run = { key, lease, context, timeout, cancel, startedMs, result: "error", reported: false };
    this.#active.add(run);
    this.#meter.started(reasons);
    return run;
  }

  /** Ends the reconcile and the lease of its key. */
  #end(run: Run): void {
    const { key, context, lease, timeout, startedMs, result } = run;
    context.end();
    timeout?.cancel();
    this.#active.remove(run);
    this.#endedMs = this.#clock.monotonic();
    this.#endedKey = key;
    this.#meter.ended(result, this.#endedMs - startedMs);
    lease[Symbol.dispose]();
  }

  #traced(run: Run, tracer: Tracer): Promise<ReconcileResult> {
    const { name: controller, options } = this.#controller;
    const { key, lease, startedMs } = run;
    const { id, attempt } = run.context;
    const { reasons, reasonCount } = lease;
    const kind = kindName(options.for);
    const waitedMs = startedMs - lease.sinceMs;
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
      const text = `reconcile of ${key} exceeded its timeout of ${timeoutMs} ms`;
      context.abort({ reason: new TimeoutError(text), timeout: true });
    });
  }

  /** Calls the user's code: `cleanup` for a terminating object, `reconcile` otherwise. */
  #call({ key: text, context }: Run): Promise<Requeue | undefined> {
    const key = objectKey(text);
    if (this.#finalizer) return this.#afterCleanup(this.#finalizer, key, context);
    return this.#controller.options.reconcile(key, context) as Promise<Requeue | undefined>; // or `Promise<void>`
  }

  async #afterCleanup(finalizer: Finalizer, key: ObjectKey, context: Context): Promise<Requeue | undefined> {
    const done = await finalizer.before(key, context);
    if (done) return done.requeue;
    return (await this.#controller.options.reconcile(key, context)) ?? undefined;
  }

  /** Records a success. Throws if the reconcile was aborted before it returned. */
  #succeeded(run: Run, requeue: Requeue | undefined): ReconcileResult {
    const { key, lease, context } = run;
    if (context.aborted) throw context.aborted.reason;
    this.#logSuccess(run, requeue);
    if (requeue instanceof Until) return this.#wait(lease, requeue);
    this.#waits.drop(key);
    if (requeue) return this.#retries.requeue(lease, requeue);
    this.#retries.succeeded(key);
    return "success";
  }

  /** Logs a reconcile at the level "info" if it changed an object, and otherwise at "debug". */
  #logSuccess({ context, startedMs }: Run, requeue: Requeue | undefined): void {
    const { changes, reasonCount, attempt } = context;
    const level = changes.length > 0 ? "info" : "debug";
    if (this.#log.writes?.(level) === false) return;
    const durationMs = Math.round(this.#clock.monotonic() - startedMs);
    const requeueAfterMs = requeue?.requeueAfterMs;
    const fields = { reasons: context.loggedReasons, reasonCount, attempt, changes, durationMs };
    context.log[level]("reconciled", requeueAfterMs === undefined ? fields : { ...fields, requeueAfterMs });
  }

  /** Starts a wait. If there is nothing to wait for, queues the key at once, and with backoff if that repeats. */
  #wait(lease: Lease<string, Reason>, until: Until): ReconcileResult {
    const { key, priority } = lease;
    const state = this.#waits.start(lease, until);
    if (state === "again") return this.#retries.requeue(lease, { requeueAfterMs: 0 });
    this.#retries.succeeded(key);
    const reason: Reason = { ...reasonOf("awaited", until.key), kind: until.kind.kind };
    if (state === "fulfilled") this.#queue.add(key, { reasons: [reason], priority });
    return "requeue_after";
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
    await this.#report(run, error, terminal ? undefined : this.#retries.retry(run.lease, error));
  }

  /**
   * Logs a failure and calls `onError`.
   * @param afterMs Delay before the retry. `undefined` if the key is not retried.
   */
  async #report({ key, context }: Run, error: Error, afterMs: number | undefined): Promise<void> {
    const { loggedReasons: reasons, reasonCount, attempt, changes } = context;
    const fields = { error, reasons, reasonCount, attempt, ...(changes.length > 0 && { changes }) };
    if (afterMs === undefined)
      context.log.error("reconcile failed, not retried until the next event", fields);
    else if (this.#stopping)
      context.log.error("reconcile failed, not retried because the controller stops", fields);
    else context.log.error("reconcile failed", { ...fields, retryInMs: Math.round(afterMs) });
    try {
      await this.#controller.options.onError?.(error, objectKey(key), context);
    } catch (second) {
      context.log.error("onError failed", { error: asError(second) });
    }
  }
}

/** A reconcile that runs this much longer than `timeoutMs`, or this long without a timeout, is reported. */
const longMs = 300_000;

/** Workers pause at least this often for timers and the network. */
const pauseEveryMs = 50;
/** Maximum number of reconciles without a pause. In real time the pauses come sooner. */
const maxBurst = 20_000;

/** Parses a queued key. Mappers and sources may add invalid keys. A retry cannot fix one, so the error is terminal. */
function objectKey(text: string): ObjectKey {
  try {
    return parseKey(text);
  } catch (error) {
    throw new TerminalError(asError(error).message, { cause: error });
  }
}

/**
 * Returns true if the controller skips applies that would change nothing. Other replicas also apply what a controller
 * with `everywhere` applies, so that its own last apply may not be the last one of its field manager.
 */
function skipsApplies(options: Controller["options"]): boolean {
  const { everywhere = false, formerFieldManagers = [], skipUnchangedApplies } = options;
  if (everywhere || formerFieldManagers.length > 0) return false;
  return skipUnchangedApplies ?? true;
}

/** One reconcile. */
interface Run extends ActiveReconcile {
  readonly lease: Lease<string, Reason>;
  readonly context: ReconcileContext;
  /** Aborts the reconcile after `timeoutMs`, if the controller has a timeout. */
  readonly timeout: Timer | undefined;
  readonly cancel: AbortSignal;
  result: ReconcileResult;
}
