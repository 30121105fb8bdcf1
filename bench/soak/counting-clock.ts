import type { InformersOptions } from "trimtab/cache";

type Clock = NonNullable<InformersOptions["clock"]>;
type Timer = ReturnType<Clock["timer"]>;

/** The machine's time, with a count of the timers that are set, those that keep no process alive too. */
export class CountingClock implements Clock {
  readonly #set = new Set<NodeJS.Timeout>();

  get timers(): number {
    return this.#set.size;
  }

  now(): number {
    return Date.now();
  }

  monotonic(): number {
    return performance.now();
  }

  timer(afterMs: number, run: () => void, options?: { readonly background?: boolean | undefined }): Timer {
    const handle = setTimeout(
      () => {
        this.#set.delete(handle);
        run();
      },
      Math.min(Math.max(afterMs, 0), longestMs),
    );
    if (options?.background) handle.unref();
    this.#set.add(handle);
    const cancel = (): void => {
      clearTimeout(handle);
      this.#set.delete(handle);
    };
    return { cancel, [Symbol.dispose]: cancel };
  }
}

/** What Node's timers take. No soak is so long. */
const longestMs = 2_147_483_647;
