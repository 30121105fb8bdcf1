import { unlessAborted } from "../base/index.ts";
import { ManagedPart } from "./managed-part.ts";
import type { ManagerContext } from "./manager-context.ts";
import type { Runnable } from "./runnable.ts";

/** One runnable of a manager. */
export class ManagedRunnable extends ManagedPart {
  readonly runnable: Runnable;
  #running = false;

  constructor(runnable: Runnable) {
    super();
    this.runnable = runnable;
  }

  get name(): string {
    return this.runnable.name;
  }

  get title(): string {
    return `runnable ${this.name}`;
  }

  get working(): string[] {
    return this.#running ? [this.name] : [];
  }

  protected stopSignal({ stop, stopLeading }: ManagerContext): AbortSignal {
    return this.runnable.everywhere ? stop : stopLeading;
  }

  protected async work(context: ManagerContext, signal: AbortSignal): Promise<void> {
    const { everywhere = false, run } = this.runnable;
    const { environment, synced, leading } = context;
    const { cache, log } = environment;
    const events = context.eventsOf(this.name);
    const client = everywhere ? context.unfenced : environment.client;
    await unlessAborted(everywhere ? synced : leading, signal);
    signal.throwIfAborted();
    this.#running = true;
    try {
      const over = run({ client, cache, events, log: log.with({ runnable: this.name }), signal });
      this.markReady();
      await over;
    } finally {
      this.#running = false;
    }
  }

  /** Does nothing: its signal has aborted already. */
  protected cancel(): void {}

  /** Does nothing: a runnable has no caches. */
  async close(): Promise<void> {}
}
