import { asError, onAbort } from "../base/index.ts";
import { drain } from "./drain.ts";
import { isAbortedBy } from "./is-aborted-by.ts";
import type { ManagerContext } from "./manager-context.ts";
import { Readiness } from "./readiness.ts";
import type { RunnableHandle } from "./runnable-handle.ts";

/** What controllers and runnables of a manager have in common: each is run once at most, and ends when it is stopped. */
export abstract class ManagedPart implements RunnableHandle {
  readonly #ready = new Readiness();
  readonly #stop = new AbortController();
  /** Where it was run, and its end. */
  #run: { readonly context: ManagerContext; readonly over: Promise<void> } | undefined;
  #stopped: Promise<void> | undefined;

  abstract get name(): string;

  /** For messages: `controller website`. */
  abstract get title(): string;

  /** What it is doing, for messages. */
  abstract get working(): string[];

  /** Works until the signal aborts. Rejects where it cannot begin or go on. */
  protected abstract work(context: ManagerContext, signal: AbortSignal): Promise<void>;

  /** The signal of the manager that ends it. */
  protected abstract endOf(context: ManagerContext): AbortSignal;

  /** Tells what it has begun to end at once. */
  protected abstract cancel(reason: Error): void;

  /** Lets go of its caches. */
  abstract close(): Promise<void>;

  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** It has been ready. */
  get began(): boolean {
    return this.#ready.reached;
  }

  /** It was stopped before it was run. */
  get withdrawn(): boolean {
    return this.#stop.signal.aborted && !this.#run;
  }

  /**
   * Works until it is stopped or the manager ends. What it has read from stays until `close`, so that others may read there
   * until they have ended too. Rejects with what it failed with, unless it was to end.
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

  protected begin(): void {
    this.#ready.reach();
  }

  /** It is over, and will not become ready unless it was. */
  protected ended(error: Error): void {
    this.#ready.fail(error);
  }

  async #untilStopped(context: ManagerContext): Promise<void> {
    const { signal } = this.#stop;
    using _end = onAbort(this.endOf(context), (reason) => this.#stop.abort(reason));
    try {
      await this.work(context, signal);
    } catch (error) {
      if (isAbortedBy(error, signal)) return;
      this.ended(asError(error));
      throw asError(error);
    } finally {
      this.ended(new Error(`expected ${this.title} to become ready, got it ended before`));
    }
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
