import { asError, follow, unlessAborted } from "../base/index.ts";
import { isAbortOf } from "./abort-of.ts";
import type { Added } from "./added.ts";
import { drain } from "./drain.ts";
import { Readiness } from "./readiness.ts";
import type { Runnable } from "./runnable.ts";
import type { Workplace } from "./workplace.ts";

/** One runnable of a manager. */
export class ManagedRunnable implements Added {
  readonly runnable: Runnable;
  readonly #ready = new Readiness();
  readonly #stop = new AbortController();
  #phase: "new" | "running" | "over" = "new";
  #over: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;
  #workplace: Workplace | undefined;

  constructor(runnable: Runnable) {
    this.runnable = runnable;
  }

  get name(): string {
    return this.runnable.name;
  }

  /** It was stopped before it was run. */
  get withdrawn(): boolean {
    return this.#stop.signal.aborted && !this.#over;
  }

  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  get working(): string[] {
    return this.#phase === "running" ? [this.name] : [];
  }

  /** Rejects with what it failed with, unless it was to end. */
  run(workplace: Workplace): Promise<void> {
    this.#workplace = workplace;
    this.#over = this.#run(workplace);
    return this.#over;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #run(workplace: Workplace): Promise<void> {
    const { everywhere = false, run } = this.runnable;
    const { client, cache, events, log } = workplace.surroundings;
    const { signal } = this.#stop;
    using _end = follow(everywhere ? workplace.stop : workplace.stopLeading, (why) => this.#stop.abort(why));
    try {
      await unlessAborted(everywhere ? workplace.filled : workplace.leading, signal);
      signal.throwIfAborted();
      this.#phase = "running";
      const own = log.with({ runnable: this.name });
      const over = run({ client, cache, events, log: own, signal });
      this.#ready.reach();
      await over;
    } catch (error) {
      if (!isAbortOf(error, signal)) throw asError(error);
    } finally {
      this.#phase = "over";
      this.#ready.fail(new Error(`expected ${this.name} to begin, got an end before that`));
    }
  }

  async #end(): Promise<void> {
    this.#stop.abort(new Error(`${this.name} is stopped`));
    const workplace = this.#workplace;
    if (!workplace || !this.#over)
      return this.#ready.fail(new Error(`expected ${this.name} to begin, got it stopped`));
    const { clock } = workplace.surroundings;
    const { drainMs } = workplace;
    await drain(this.#over, { drainMs, clock, cancel: () => {}, working: () => this.working });
  }
}
