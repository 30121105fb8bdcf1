import { type Clock, Milestone, type Timer } from "../base/index.ts";
import { isMissing } from "./sync-error.ts";

export interface SyncWaitOptions {
  readonly clock: Clock;
  /** Time limit of the first list. */
  readonly timeoutMs: number;
  /** Returns the current failure of the watch. */
  readonly lastError: () => Error | undefined;
  /** Called when the wait fails: at the time limit, and after that at each failure of the watch. */
  readonly onFailed: (lastError: Error | undefined, waitedMs: number) => void;
}

/**
 * Waits for the first list, with a time limit. For a missing permission or kind the limit is ten seconds: it may be
 * granted in a moment, as when everything is installed at once, but time alone does not fix it.
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
      clock.timer(Math.min(missingTimeoutMs, timeoutMs), () => this.check(), { background: true }),
      clock.timer(timeoutMs, () => this.#fail(), { background: true }),
    ];
  }

  /** Fails the wait if its limit has passed. Called after each failure of the watch. */
  check(): void {
    const { clock, timeoutMs, lastError } = this.#options;
    const waitedMs = clock.monotonic() - this.#sinceMs;
    if (waitedMs >= missingTimeoutMs && isMissing(lastError())) this.#fail();
    else if (waitedMs >= timeoutMs) this.#fail();
  }

  reach(): void {
    this.#cancel();
    this.milestone.reach();
  }

  /** Ends the wait with an error. */
  end(error: Error): void {
    this.#cancel();
    this.milestone.fail(error);
  }

  #fail(): void {
    const { clock, lastError, onFailed } = this.#options;
    if (!this.milestone.reached) onFailed(lastError(), clock.monotonic() - this.#sinceMs);
  }

  #cancel(): void {
    for (const timer of this.#timers) timer.cancel();
  }
}

const missingTimeoutMs = 10_000;
