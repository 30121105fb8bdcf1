import { get } from "node:https";
import { type Clock, sleep } from "../base/index.ts";

/** What a look at a server found: ready, or what it said instead. */
export type Readiness = { readonly ready: true } | { readonly ready: false; readonly because: string };

export interface UntilReadyOptions {
  /** Ends the waiting: a deadline, or the end of the server. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

const betweenLooksMs = 50;

/**
 * Looks again and again, and resolves when `look` finds the server ready.
 * When `signal` aborts it rejects with the signal's reason; the last thing found is in the message.
 */
export async function untilReady(
  look: (signal: AbortSignal) => Promise<Readiness>,
  { signal, clock }: UntilReadyOptions,
): Promise<void> {
  let because = "it was not asked";
  try {
    for (;;) {
      const found = await look(signal);
      if (found.ready) return;
      because = found.because;
      await sleep(betweenLooksMs, { clock, signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(`${message(signal.reason)} (last seen: ${because})`, { cause: error });
  }
}

export interface LookAtServerOptions {
  readonly server: string;
  /** The certificates to trust, in PEM. */
  readonly ca: string;
  readonly token: string;
  readonly signal: AbortSignal;
}

/** Asks an API server whether it is ready and has made the namespace `default`, which it does a little later. */
export async function lookAtServer(options: LookAtServerOptions): Promise<Readiness> {
  for (const path of ["/readyz", "/api/v1/namespaces/default"]) {
    const answer = await ask(path, options);
    if (answer !== "200") return { ready: false, because: `GET ${path}: ${answer}` };
  }
  return { ready: true };
}

/** The status code, or the reason for there being none. */
function ask(path: string, { server, ca, token, signal }: LookAtServerOptions): Promise<string> {
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
