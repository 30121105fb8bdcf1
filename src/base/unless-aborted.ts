import { asError } from "./as-error.ts";
import { onAbort } from "./signals.ts";

/** What the work gives, or the signal's reason where that comes first. The work goes on, and nobody hears of it. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const outer = onAbort(signal, (reason) => reject(asError(reason)));
    work.then(resolve, reject).finally(() => outer[Symbol.dispose]());
  });
}
