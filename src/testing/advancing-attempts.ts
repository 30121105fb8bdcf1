import { asError, realClock, sleep, type VirtualClock } from "../base/index.ts";

export interface AdvancingOptions {
  readonly clock: VirtualClock;
  /** How far the clock may move. */
  readonly withinMs: number;
  /** Resolves when nothing more happens until the clock moves. */
  readonly rest: () => Promise<void>;
  /** Aborts when the checked cluster is closed. The attempts then reject. */
  readonly signal: AbortSignal;
}

/**
 * Runs a check until it passes, and moves a virtual clock between the runs: to the next timer, by at most 50 ms at
 * once. The check runs at once, when everything has come to rest, and after each move.
 */
export class AdvancingAttempts<T> {
  readonly #check: () => T | Promise<T>;
  readonly #options: AdvancingOptions;
  readonly #untilMs: number;
  #last = new Error("expected the check to finish, got no result yet");

  constructor(check: () => T | Promise<T>, options: AdvancingOptions) {
    this.#check = check;
    this.#options = options;
    this.#untilMs = options.clock.monotonic() + options.withinMs;
  }

  /** Resolves with the result of the check. Rejects with its last error when the clock has moved by `withinMs`. */
  async run(): Promise<T> {
    for (let isFirst = true; ; isFirst = false) {
      const outcome = await this.#try();
      if (outcome.type === "passed") return outcome.value;
      this.#last = outcome.error;
      if (!isFirst) await this.#move();
    }
  }

  /** Runs the check once. Moves the clock only if the check waits for it. */
  async #try(): Promise<Outcome<T>> {
    this.#throwIfAborted();
    const running = outcomeOf(this.#check);
    let outcome: Outcome<T> | undefined;
    void running.then((result) => {
      outcome = result;
    });
    await this.#options.rest();
    if (!outcome) await Promise.race([running, this.#patience()]);
    while (!outcome) await this.#move();
    return outcome;
  }

  /** Moves the clock to the next timer, by at most 50 ms. Throws if the time is over. */
  async #move(): Promise<void> {
    this.#throwIfAborted();
    const { clock, rest } = this.#options;
    const leftMs = this.#untilMs - clock.monotonic();
    if (leftMs <= 0) throw this.#last;
    await clock.advance(Math.min(clock.nextMs ?? stepMs, stepMs, leftMs), rest);
  }

  /** Resolves after 100 ms of real time, in which a check can wait for another program. */
  async #patience(): Promise<void> {
    const { signal } = this.#options;
    await sleep(patienceMs, { clock: realClock, signal }).catch(() => {}); // aborted: `#move` throws
  }

  #throwIfAborted(): void {
    const { signal } = this.#options;
    if (signal.aborted) throw abortError(signal.reason, this.#last);
  }
}

/** Returns the error of a check whose cluster is closed. */
export function abortError(reason: unknown, cause: Error): Error {
  return new Error(`expected the check to pass, got an abort before that: ${asError(reason).message}`, {
    cause,
  });
}

type Outcome<T> =
  | { readonly type: "passed"; readonly value: T }
  | { readonly type: "failed"; readonly error: Error };

async function outcomeOf<T>(check: () => T | Promise<T>): Promise<Outcome<T>> {
  try {
    return { type: "passed", value: await check() };
  } catch (error) {
    return { type: "failed", error: asError(error) };
  }
}

const patienceMs = 100;

/** A check may depend on the time itself, so that it also runs when no timer is set. */
const stepMs = 50;
