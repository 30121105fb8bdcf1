import type { Clock, Timer } from "../base/index.ts";
import { Milestone } from "./milestone.ts";
import { isMissing } from "./sync-error.ts";

export interface SyncWaitOptions {
  readonly clock: Clock;
  /** How long the first list may take. */
  readonly timeoutMs: number;
  /** What is wrong now. */
  readonly trouble: () => Error | undefined;
  /** Told each time that waiting is in vain, after so many milliseconds. */
  readonly onFailed: (trouble: Error | undefined, ms: number) => void;
}

/**
 * Waits for the first list, so long and no longer. A missing right or kind may be given in a moment, as where all is
 * installed at once; when that has passed, it is not waited for any more.
 */
export class SyncWait {
  readonly milestone: Milestone = new Milestone();
  readonly #options: SyncWaitOptions;
  #timers: Timer[] = [];
  #sinceMs = 0;

  constructor(options: SyncWaitOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, timeoutMs } = this.#options;
    this.#sinceMs = clock.monotonic();
    this.#timers = [
      clock.timer(Math.min(momentMs, timeoutMs), () => this.look(), { background: true }),
      clock.timer(timeoutMs, () => this.#fail(), { background: true }),
    ];
  }

  /** To be called when something has gone wrong. */
  look(): void {
    const { clock, timeoutMs, trouble } = this.#options;
    const waitedMs = clock.monotonic() - this.#sinceMs;
    if (waitedMs >= momentMs && isMissing(trouble())) this.#fail();
    else if (waitedMs >= timeoutMs) this.#fail();
  }

  reach(): void {
    this.#cancel();
    this.milestone.reach();
  }

  /** No list will come. */
  end(error: Error): void {
    this.#cancel();
    this.milestone.fail(error);
  }

  #fail(): void {
    const { clock, trouble, onFailed } = this.#options;
    if (!this.milestone.reached) onFailed(trouble(), clock.monotonic() - this.#sinceMs);
  }

  #cancel(): void {
    for (const timer of this.#timers) timer.cancel();
  }
}

const momentMs = 10_000;
