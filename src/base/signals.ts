import { setMaxListeners } from "node:events";
import { listenersOf, PoolListener } from "./abort-pool.ts";
import { causesOf } from "./as-error.ts";

/**
 * Calls `listener` once when `signal` aborts, or immediately if it has aborted already. Disposing the result removes
 * the listener, so that a long-lived signal does not accumulate the listeners of short-lived work.
 *
 * It turns off Node's warning about more than ten listeners for this signal. `listener` must not throw.
 */
export function onAbort(signal: AbortSignal | undefined, listener: (reason: unknown) => void): Disposable {
  if (signal?.aborted) listener(signal.reason);
  if (!signal || signal.aborted) return { [Symbol.dispose]() {} };
  const poolListeners = listenersOf(signal);
  if (poolListeners) return new PoolListener(poolListeners, listener);
  setMaxListeners(0, signal);
  const handler = (): void => listener(signal.reason);
  signal.addEventListener("abort", handler, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener("abort", handler) };
}

/** Resolves when the signal aborts. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => void onAbort(signal, () => resolve()));
}

/** The process as `shutdownSignal` needs it. */
export interface SignalSource {
  on(signal: "SIGINT" | "SIGTERM" | "SIGHUP", listener: (signal: string) => void): unknown;
  on(event: "uncaughtException", listener: (error: unknown) => void): unknown;
  off(event: "uncaughtException", listener: (error: unknown) => void): unknown;
  listenerCount(event: "uncaughtException"): number;
  exit(code: number): void;
}

let installed = false;

/**
 * Aborts at the first SIGINT, SIGTERM or SIGHUP (the terminal was closed). A SIGINT or SIGTERM after that ends the
 * process with 1; a second SIGHUP does not, because both the kernel and the shell send one when a terminal closes. It
 * takes the process's signals for good, so it may be called once.
 *
 * After that signal, a rejection that has its reason as `cause`, or is its reason, and that no code handles does not
 * end the process: `await manager.ready` at the top level of a program rejects on Ctrl-C, and the manager drains all
 * the same. Other uncaught errors end the process as usual.
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
  const onUncaught = (error: unknown): void => {
    if (isCausedBy(error, ended.signal.reason)) return;
    if (source.listenerCount("uncaughtException") > 1) return; // another listener handles it, as without this one
    source.off("uncaughtException", onUncaught);
    queueMicrotask(() => {
      throw error; // without a listener, Node prints it and exits
    });
  };
  const abort = (name: string): void => {
    if (ended.signal.aborted) return;
    source.on("uncaughtException", onUncaught);
    ended.abort(new Error(`received ${name}`));
  };
  const onSignal = (name: string): void => {
    if (ended.signal.aborted) source.exit(1);
    else abort(name);
  };
  source.on("SIGINT", onSignal);
  source.on("SIGTERM", onSignal);
  source.on("SIGHUP", abort);
  return ended.signal;
}

function isCausedBy(error: unknown, reason: unknown): boolean {
  return causesOf(error).includes(reason);
}
