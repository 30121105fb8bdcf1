import { asError, type Clock, onAbort, type Timer } from "../base/index.ts";
import { abortError } from "./advancing-attempts.ts";

export interface AttemptsOptions<T> {
  readonly clock: Clock;
  readonly withinMs: number;
  readonly changes: ((run: () => void) => Disposable) | undefined;
  /** Aborts when the checked cluster is closed. The attempts then reject. */
  readonly signal: AbortSignal;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

/** Runs a check after every change, one run at a time, until it passes or the time is over. */
export class Attempts<T> {
  readonly #check: () => T | Promise<T>;
  readonly #options: AttemptsOptions<T>;
  #changes: Disposable | undefined;
  #abortListener: Disposable | undefined;
  #deadline: Timer | undefined;
  #next: Timer | undefined;
  #trying = false;
  /** True if something changed while the check ran. */
  #changed = false;
  #last = new Error("expected the check to finish, got no result yet");
  #over = false;

  constructor(check: () => T | Promise<T>, options: AttemptsOptions<T>) {
    this.#check = check;
    this.#options = options;
  }

  start(): void {
    const { clock, withinMs, changes, signal, reject } = this.#options;
    this.#deadline = clock.timer(withinMs, () => this.#end(() => reject(this.#last)));
    this.#changes = changes?.(() => this.#schedule(0));
    this.#abortListener = onAbort(signal, (reason) =>
      this.#end(() => reject(abortError(reason, this.#last))),
    );
    if (!this.#over) void this.#try();
  }

  /** Runs the check after a delay, so that changes that follow each other at once lead to one run. */
  #schedule(afterMs: number): void {
    if (this.#over) return;
    if (this.#trying) this.#changed = true;
    else {
      this.#next?.cancel();
      this.#next = this.#options.clock.timer(afterMs, () => void this.#try());
    }
  }

  async #try(): Promise<void> {
    this.#next = undefined;
    this.#trying = true;
    this.#changed = false;
    try {
      const value = await this.#check();
      this.#end(() => this.#options.resolve(value));
    } catch (error) {
      this.#last = asError(error);
    }
    this.#trying = false;
    this.#schedule(this.#changed ? 0 : retryMs);
  }

  #end(settle: () => void): void {
    if (this.#over) return;
    this.#over = true;
    this.#deadline?.cancel();
    this.#next?.cancel();
    this.#changes?.[Symbol.dispose]();
    this.#abortListener?.[Symbol.dispose]();
    settle();
  }
}

/**
 * Interval between runs without a change: a check may depend on state outside the server, and some servers report no
 * changes.
 */
const retryMs = 50;
