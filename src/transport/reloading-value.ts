import { isDeepStrictEqual } from "node:util";
import { asError, type Clock, type Logger } from "../base/index.ts";
import type { Reloadable } from "./reloadable.ts";

export interface ReloadingValueOptions<T> {
  /** For the log: "token file /var/run/token". */
  readonly what: string;
  read(): Promise<T>;
  /** A value is read again when asked for, this long after it was read. */
  readonly everyMs: number;
  /** After a failure, when to try again at the earliest. */
  readonly retryMs: number;
  /** What to hold until the first reading succeeds. @default nothing: a first reading that fails throws */
  readonly initial?: T | undefined;
  /** Whether a value held may still be used. One that may not is read again at once. @default always */
  usable?(value: T): boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * A value that is read again from time to time, on use: no timer runs.
 *
 * - A reading that fails leaves the old value in place, and a line in the log.
 * - A reading that gives an equal value leaves the old object in place.
 * - However many ask, one reading goes on at a time.
 */
export class ReloadingValue<T> implements Reloadable<T> {
  readonly #options: ReloadingValueOptions<T>;
  #held: { readonly value: T } | undefined;
  /** When to read again, on the monotonic scale. */
  #dueMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<T> | undefined;
  /** How often a held value was refused. A reading that began before the last time may have come too early. */
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

  /** A value refused is read again when next asked for. */
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
      log.warn("reading again failed, the old value stays in use", { what, error: asError(error) });
      return { value: this.#held.value, forMs: retryMs };
    }
  }

  #usable(value: T): boolean {
    return this.#options.usable?.(value) ?? true;
  }
}
