import { get } from "node:https";
import { type Clock, sleep } from "../base/index.ts";

/** The result of one check of a server: ready, or the reason why not. */
export type Readiness = { readonly ready: true } | { readonly ready: false; readonly because: string };

export interface UntilReadyOptions {
  /** Ends the waiting: a deadline, or the exit of the server. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

const pollMs = 50;

/**
 * Calls `check` until it finds the server ready.
 * When `signal` aborts, it rejects with the signal's reason and the last reason of `check` in the message.
 */
export async function untilReady(
  check: (signal: AbortSignal) => Promise<Readiness>,
  { signal, clock }: UntilReadyOptions,
): Promise<void> {
  let because = "not checked yet";
  try {
    for (;;) {
      const found = await check(signal);
      if (found.ready) return;
      because = found.because;
      await sleep(pollMs, { clock, signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(`${message(signal.reason)} (last seen: ${because})`, { cause: error });
  }
}

export interface CheckServerOptions {
  readonly server: string;
  /** CA certificates to trust, in PEM. */
  readonly ca: string;
  readonly token: string;
  readonly signal: AbortSignal;
}

/** Checks whether an API server is ready and has created the namespace `default`, which it does a little later. */
export async function checkServer(options: CheckServerOptions): Promise<Readiness> {
  for (const path of ["/readyz", "/api/v1/namespaces/default"]) {
    const result = await statusOf(path, options);
    if (result !== "200") return { ready: false, because: `GET ${path}: ${result}` };
  }
  return { ready: true };
}

/** Resolves with the status code, or with the error message if there is no response. */
function statusOf(path: string, { server, ca, token, signal }: CheckServerOptions): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  return new Promise((resolve) => {
    get(`${server}${path}`, { ca, headers, signal, agent: false }, (response) => {
      response.resume();
      response.once("close", () => resolve(String(response.statusCode)));
    }).once("error", (error) => resolve(error.message));
  });
}

function message(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
