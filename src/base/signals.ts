import { setMaxListeners } from "node:events";

/**
 * Calls `onAbort` once when `signal` aborts, at once if it has. Disposing it stops listening,
 * so that a long-lived signal does not collect the listeners of short-lived work.
 * Any number may follow one signal: Node's warning about more than ten is turned off for it.
 */
export function follow(signal: AbortSignal | undefined, onAbort: (reason: unknown) => void): Disposable {
  if (signal?.aborted) onAbort(signal.reason);
  if (!signal || signal.aborted) return { [Symbol.dispose]() {} };
  setMaxListeners(0, signal);
  const listener = (): void => onAbort(signal.reason);
  signal.addEventListener("abort", listener, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener("abort", listener) };
}

/** The process as `shutdownSignal` needs it. */
export interface SignalSource {
  on(signal: "SIGINT" | "SIGTERM" | "SIGHUP", listener: (signal: string) => void): unknown;
  exit(code: number): void;
}

let installed = false;

/**
 * Aborts at the first SIGINT, SIGTERM or SIGHUP (the terminal was closed). A SIGINT or SIGTERM after that ends the process
 * with 1; a second SIGHUP does not, because both the kernel and the shell send one when a terminal closes.
 * It takes the process's signals for good, so it may be called once.
 */
export function shutdownSignal(): AbortSignal {
  if (installed) {
    throw new Error(
      "expected one call of shutdownSignal() per process, got a second: pass the first one's signal on",
    );
  }
  installed = true;
  return signalFrom(process);
}

/** `shutdownSignal` on any source of signals. */
export function signalFrom(source: SignalSource): AbortSignal {
  const ended = new AbortController();
  const abort = (name: string): void => ended.abort(new Error(`received ${name}`));
  const onSignal = (name: string): void => {
    if (ended.signal.aborted) source.exit(1);
    else abort(name);
  };
  source.on("SIGINT", onSignal);
  source.on("SIGTERM", onSignal);
  source.on("SIGHUP", abort);
  return ended.signal;
}
