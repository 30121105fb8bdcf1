import { isDeepStrictEqual } from "node:util";
import { asError, type Clock, type Logger } from "../../base/index.ts";
import type { Reloadable } from "./reloadable.ts";

export interface ReloadingValueOptions<T> {
  /** For the log: "token file /var/run/token". */
  readonly what: string;
  read(): Promise<T>;
  /** Maximum age of a value. An older value is reloaded on use. */
  readonly everyMs: number;
  /** Minimum delay between a failure and the next attempt. */
  readonly retryMs: number;
  /** The value until the first load succeeds. @default none: a failure of the first load throws */
  readonly initial?: T | undefined;
  /** Returns true if the current value is still valid. An invalid value is reloaded at once. @default always valid */
  usable?(value: T): boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * A value that is reloaded on use when it is too old. It needs no timer.
 *
 * - If a reload fails, the old value stays in use, and a warning is logged.
 * - If a reload returns an equal value, the old object stays in use.
 * - Concurrent callers share one reload.
 */
export class ReloadingValue<T> implements Reloadable<T> {
  readonly #options: ReloadingValueOptions<T>;
  #held: { readonly value: T } | undefined;
  /** Monotonic time of the next reload. */
  #dueMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<T> | undefined;
  /** Number of refused values. A reload that began before the last refusal may have read the refused value again. */
  #refusals = 0;

  constructor(options: ReloadingValueOptions<T>) {
    this.#options = options;
    this.#held = options.initial === undefined ? undefined : { value: options.initial };
  }

  current(): T | Promise<T> {
    const held = this.#held;
    const due = this.#options.clock.monotonic() >= this.#dueMs;
    if (held && !due && this.#usable(held.value)) return held.value;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Marks a refused value for reload on next use. */
  refused(value: T): boolean {
    if (value !== this.#held?.value) return true;
    this.#refusals += 1;
    this.#dueMs = Number.NEGATIVE_INFINITY;
    return true;
  }

  async #read(): Promise<T> {
    const refusals = this.#refusals;
    const { value, forMs } = await this.#readOrKeep();
    const held = this.#held && isDeepStrictEqual(this.#held.value, value) ? this.#held : { value };
    this.#held = held;
    if (refusals === this.#refusals) this.#dueMs = this.#options.clock.monotonic() + forMs;
    return held.value;
  }

  async #readOrKeep(): Promise<{ readonly value: T; readonly forMs: number }> {
    const { read, everyMs, retryMs, log, what } = this.#options;
    try {
      return { value: await read(), forMs: everyMs };
    } catch (error) {
      if (!this.#held || !this.#usable(this.#held.value)) throw error;
      log.warn("reload failed, keeping the old value", { what, error: asError(error) });
      return { value: this.#held.value, forMs: retryMs };
    }
  }

  #usable(value: T): boolean {
    return this.#options.usable?.(value) ?? true;
  }
}
