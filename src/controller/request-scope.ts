import { type AbortPool, onAbort } from "../base/index.ts";
import type { Client } from "../client/index.ts";

/**
 * The requests of one reconcile. They abort together while the reconcile runs. Requests that are in flight when it
 * ends, or are sent later, are not aborted.
 */
export class RequestScope {
  readonly #pool: AbortPool;
  /** Aborts the requests. Taken from the pool for the first request. */
  #controller: AbortController | undefined;
  #inFlight = 0;
  #closed = false;
  #sent = 0;

  constructor(pool: AbortPool) {
    this.#pool = pool;
  }

  /** Number of requests sent so far. */
  get sent(): number {
    return this.#sent;
  }

  get aborted(): boolean {
    return this.#controller?.signal.aborted ?? false;
  }

  /** Counts a request. Call `end` once it has settled. @returns the signal that aborts it */
  begin(): AbortSignal | undefined {
    this.#sent += 1;
    if (this.#closed) return undefined;
    this.#inFlight += 1;
    this.#controller ??= this.#pool.take();
    return this.#controller.signal;
  }

  end(): void {
    this.#inFlight -= 1;
  }

  abort(reason: unknown): void {
    this.#controller ??= new AbortController();
    this.#controller.abort(reason);
  }

  /**
   * Ends the scope with its reconcile. Returns the abort controller to the pool unless a request may still use its
   * signal.
   */
  close(): void {
    this.#closed = true;
    if (this.#controller && this.#inFlight === 0) this.#pool.release(this.#controller);
    this.#controller = undefined;
  }
}

type Transport = Client["transport"];
type ApiRequest = Parameters<Transport["send"]>[0];
type Sending = ReturnType<Transport["send"]>;
type Upgrade = NonNullable<Transport["upgrade"]>;
type MessageConnection = Awaited<ReturnType<Upgrade>>;
type OpenResponse = Awaited<ReturnType<Transport["open"]>>;

/** Returns a transport whose requests abort with `scope`. Each request also aborts with its own signal. */
export function abortableRequests(transport: Transport, scope: RequestScope): Transport {
  const upgrade = transport.upgrade?.bind(transport);
  return {
    server: transport.server,
    async send(request) {
      const signal = scope.begin();
      try {
        return await send(transport, request, signal);
      } finally {
        scope.end();
      }
    },
    // The request does not end here: the body follows the head of the response.
    open: (request) => open(transport, request, scope.begin()),
    upgrade: upgrade && ((request) => openWebSocket(upgrade, request, scope.begin())),
    close: () => transport.close(),
  };
}

function send(transport: Transport, request: ApiRequest, signal: AbortSignal | undefined): Sending {
  if (!signal) return transport.send(request);
  if (!request.signal) return transport.send({ ...request, signal });
  return sendMerged(transport, request, merged(request.signal, signal));
}

function open(
  transport: Transport,
  request: ApiRequest,
  signal: AbortSignal | undefined,
): Promise<OpenResponse> {
  if (!signal) return transport.open(request);
  if (!request.signal) return transport.open({ ...request, signal });
  return openMerged(transport, request, merged(request.signal, signal));
}

/** Opens a WebSocket that ends when one of the signals aborts. */
async function openWebSocket(
  upgrade: Upgrade,
  request: Parameters<Upgrade>[0],
  signal: AbortSignal | undefined,
): Promise<MessageConnection> {
  if (!signal) return upgrade(request);
  const both = merged(signal, ...(request.signal ? [request.signal] : []));
  try {
    const connection = await upgrade({ ...request, signal: both.signal });
    void connection.closed.then(() => both[Symbol.dispose]());
    return connection;
  } catch (error) {
    both[Symbol.dispose]();
    throw error;
  }
}

/** A signal that aborts when one of two does. Dispose it to remove its listeners from long-lived signals. */
interface Merged extends Disposable {
  readonly signal: AbortSignal;
}

function merged(...signals: readonly AbortSignal[]): Merged {
  const either = new AbortController();
  const listeners = signals.map((signal) => onAbort(signal, (reason) => either.abort(reason)));
  return {
    signal: either.signal,
    [Symbol.dispose]() {
      for (const listener of listeners) listener[Symbol.dispose]();
    },
  };
}

async function sendMerged(transport: Transport, request: ApiRequest, both: Merged): Sending {
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

/** Returns the response. Disposes `both` when its body has ended. */
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
