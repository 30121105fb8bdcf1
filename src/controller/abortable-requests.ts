import { follow } from "../base/index.ts";
import type { Client } from "../client/index.ts";

type Transport = Client["transport"];
type ApiRequest = Parameters<Transport["send"]>[0];
type OpenResponse = Awaited<ReturnType<Transport["open"]>>;

/**
 * A transport whose requests abort with `signal`, and each with its own signal too. The signal is read when a request is sent,
 * so that a client that sends none does not create it.
 */
export function abortableRequests(transport: Transport, signal: () => AbortSignal): Transport {
  return {
    server: transport.server,
    send: (request) =>
      request.signal
        ? sendMerged(transport, request, merged(request.signal, signal()))
        : transport.send({ ...request, signal: signal() }),
    open: (request) =>
      request.signal
        ? openMerged(transport, request, merged(request.signal, signal()))
        : transport.open({ ...request, signal: signal() }),
    close: () => transport.close(),
  };
}

/** A signal that aborts when one of two does. Disposing it stops following them, so that a long-lived one keeps no listener. */
interface Merged extends Disposable {
  readonly signal: AbortSignal;
}

function merged(...signals: readonly AbortSignal[]): Merged {
  const either = new AbortController();
  const followed = signals.map((signal) => follow(signal, (reason) => either.abort(reason)));
  return {
    signal: either.signal,
    [Symbol.dispose]() {
      for (const each of followed) each[Symbol.dispose]();
    },
  };
}

async function sendMerged(
  transport: Transport,
  request: ApiRequest,
  both: Merged,
): ReturnType<Transport["send"]> {
  using _both = both;
  return await transport.send({ ...request, signal: both.signal });
}

async function openMerged(transport: Transport, request: ApiRequest, both: Merged): Promise<OpenResponse> {
  try {
    return untilEnd(await transport.open({ ...request, signal: both.signal }), both);
  } catch (error) {
    both[Symbol.dispose]();
    throw error;
  }
}

/** The response, with the signals followed until its body has ended. */
function untilEnd(response: OpenResponse, both: Disposable): OpenResponse {
  const end = (): void => both[Symbol.dispose]();
  return {
    status: response.status,
    headers: response.headers,
    receive: (receiver) =>
      response.receive({
        onChunk: (chunk) => receiver.onChunk(chunk),
        onEnd() {
          end();
          receiver.onEnd();
        },
        onError(error) {
          end();
          receiver.onError(error);
        },
      }),
    pause: () => response.pause(),
    resume: () => response.resume(),
    close() {
      end();
      response.close();
    },
  };
}
