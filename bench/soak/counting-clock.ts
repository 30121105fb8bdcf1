import type { InformersOptions } from "trimtab/cache";

type Clock = NonNullable<InformersOptions["clock"]>;
type Timer = ReturnType<Clock["timer"]>;

/** The real clock with a count of active timers, including background timers. */
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

/** The maximum of Node's timers. No soak is that long. */
const longestMs = 2_147_483_647;
