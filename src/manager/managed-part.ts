import { asError, Milestone, onAbort } from "../base/index.ts";
import { drain } from "./drain.ts";
import { isAbortedBy } from "./errors.ts";
import type { ManagerContext } from "./manager-context.ts";
import type { RunnableHandle } from "./runnable.ts";

/** The base of controllers and runnables of a manager. A part runs at most once, until it is stopped. */
export abstract class ManagedPart implements RunnableHandle {
  readonly #ready = new Milestone();
  readonly #stop = new AbortController();
  /** The context of the run, and its end. */
  #run: { readonly context: ManagerContext; readonly over: Promise<void> } | undefined;
  #stopped: Promise<void> | undefined;

  abstract get name(): string;

  /** For messages: `controller website`. */
  abstract get title(): string;

  /** Names of running work, for messages. */
  abstract get working(): string[];

  /** Works until the signal aborts. Rejects if it cannot start or continue. */
  protected abstract work(context: ManagerContext, signal: AbortSignal): Promise<void>;

  /** Returns the signal of the manager that stops this part. */
  protected abstract stopSignal(context: ManagerContext): AbortSignal;

  /** Cancels running work. */
  protected abstract cancel(reason: Error): void;

  /** Releases its caches. */
  abstract close(): Promise<void>;

  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** True if the part has become ready. */
  get started(): boolean {
    return this.#ready.reached;
  }

  /** True if the part was stopped before it ran. */
  get withdrawn(): boolean {
    return this.#stop.signal.aborted && !this.#run;
  }

  /**
   * Works until it is stopped or the manager stops. Its caches stay until `close`, because other parts may still read
   * them. Rejects if it fails before it is stopped.
   */
  run(context: ManagerContext): Promise<void> {
    const over = this.#untilStopped(context);
    this.#run = { context, over };
    return over;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  protected markReady(): void {
    this.#ready.reach();
  }

  /** Rejects `ready` if the part has not become ready. */
  protected ended(error: Error): void {
    this.#ready.fail(error);
  }

  async #untilStopped(context: ManagerContext): Promise<void> {
    const { signal } = this.#stop;
    using _end = onAbort(this.stopSignal(context), (reason) => this.#stop.abort(reason));
    const error = await this.work(context, signal).then(() => undefined, asError);
    const failure = error && !isAbortedBy(error, signal) ? error : undefined;
    this.ended(failure ?? new Error(`expected ${this.title} to become ready, but it ended first`));
    if (failure) throw failure;
  }

  async #end(): Promise<void> {
    this.#stop.abort(new Error(`${this.title} is stopped`));
    if (!this.#run) return this.ended(asError(this.#stop.signal.reason));
    const { over, context } = this.#run;
    const { drainMs, environment } = context;
    await drain(over, {
      drainMs,
      clock: environment.clock,
      cancel: (reason) => this.cancel(reason),
      working: () => this.working,
    });
    await this.close();
  }
}
