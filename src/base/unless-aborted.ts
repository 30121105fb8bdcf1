import { asError } from "./as-error.ts";
import { onAbort } from "./signals.ts";

/**
 * Settles like `work`, or rejects with the signal's reason if the signal aborts first. It does not stop `work`; its
 * result is then dropped.
 */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const outer = onAbort(signal, (reason) => reject(asError(reason)));
    work.then(resolve, reject).finally(() => outer[Symbol.dispose]());
  });
}
