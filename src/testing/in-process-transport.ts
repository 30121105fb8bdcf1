import {
  bodyBytes,
  bodyChunks,
  type Handler,
  joinedHeaders,
  parseRequestTarget,
  type ServerRequest,
  type ServerResponse,
  type Sink,
  type UserInfo,
} from "../apiserver/index.ts";
import { asError, onAbort } from "../base/index.ts";
import {
  type ApiRequest,
  type ApiResponse,
  apiErrorFrom,
  ConnectionError,
  type OpenResponse,
  type Receiver,
  type Transport,
} from "../transport/index.ts";

export interface InProcessOptions {
  /** User of all requests. */
  readonly user: UserInfo;
  /** URL of the server in messages. @default "http://in-process" */
  readonly server?: string | undefined;
}

/**
 * Returns a transport to an API server in this process, without socket or port, with the same bytes as over a network.
 *
 * A receiver gets the chunks of a body in a later turn, never during the write that caused them.
 */
export function inProcessTransport(handler: Handler, options: InProcessOptions): Transport {
  const { user, server = "http://in-process" } = options;
  const ended = new AbortController();
  const exchange = async (request: ApiRequest): Promise<Exchange> => {
    request.signal?.throwIfAborted();
    request.beforeSend?.();
    const clientGone = new AbortController();
    const outer = [request.signal, ended.signal].map((signal) =>
      onAbort(signal, (reason) => clientGone.abort(reason)),
    );
    const response = await handler.handle(serverRequest(request, { user, signal: clientGone.signal }));
    const release = (): void => {
      for (const listener of outer) listener[Symbol.dispose]();
    };
    if (response.type !== "cut")
      return { response, clientGone, release, cutError: () => cutError(request, server) };
    release();
    request.signal?.throwIfAborted();
    throw cutError(request, server);
  };
  return {
    server,
    async send(request) {
      const exchanged = await exchange(request);
      try {
        request.signal?.throwIfAborted();
        return await bufferedResponse(exchanged);
      } finally {
        exchanged.release();
      }
    },
    async open(request) {
      const exchanged = await exchange(request);
      return new InProcessBody(exchanged);
    },
    // The server has no containers, so it refuses every WebSocket.
    async upgrade(request) {
      const exchanged = await exchange(request);
      try {
        throw apiErrorFrom(request, await bufferedResponse(exchanged));
      } finally {
        exchanged.release();
      }
    },
    async close() {
      ended.abort(new Error("the transport is closed"));
    },
  };
}

interface Exchange {
  readonly response: ServerResponse;
  /** Aborts when the client has closed the response, its signal has aborted, or the transport is closed. */
  readonly clientGone: AbortController;
  readonly release: () => void;
  /** Returns the error for a receiver whose connection is cut. */
  readonly cutError: () => ConnectionError;
}

/** Returns the same error as a client over HTTP gets when the server closes the connection. */
function cutError(request: ApiRequest, server: string): ConnectionError {
  const { method, path } = request;
  const code = "UND_ERR_SOCKET";
  const message = `expected a response to ${method} ${path} from ${server}, got ${code} (other side closed)`;
  return new ConnectionError(message, { code, request });
}

function serverRequest(request: ApiRequest, caller: Pick<ServerRequest, "user" | "signal">): ServerRequest {
  const { body = "" } = request;
  const bytes =
    typeof body === "string" ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.length);
  return {
    method: request.method,
    ...parseRequestTarget(request.path),
    headers: joinedHeaders(Object.entries(request.headers ?? {})),
    body: bytes,
    ...caller,
  };
}

function bufferedResponse({ response, clientGone, cutError: cut }: Exchange): Promise<ApiResponse> {
  const { status } = response;
  const headers = receivedHeaders(response);
  if (response.type === "buffered") {
    return Promise.resolve({ status, headers, body: bodyBytes(response.body) });
  }
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    onAbort(clientGone.signal, (reason) => reject(asError(reason)));
    response.start({
      write: (chunk) => chunks.push(chunk) > 0,
      onDrain: () => {},
      end: () => resolve({ status, headers, body: Buffer.concat(chunks) }),
      cut: () => reject(cut()),
    });
  });
}

/** Returns the headers as they arrive over a network: a header that was sent once is a string. */
function receivedHeaders({ headers }: ServerResponse): OpenResponse["headers"] {
  const received = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value !== "string" && value.length === 1 ? value[0] : value,
  ]);
  return Object.fromEntries(received);
}

/** A streaming response. It buffers chunks until there is a receiver. */
class InProcessBody implements OpenResponse, Sink {
  readonly status: number;
  readonly headers: OpenResponse["headers"];
  readonly #exchange: Exchange;
  #receiver: Receiver | undefined;
  #waiting: Buffer[] = [];
  #paused = false;
  /** Reports the end of the body. It is the last call to the receiver. */
  #end: ((receiver: Receiver) => void) | undefined;
  #delivering = false;
  #drained: (() => void) | undefined;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    this.status = exchange.response.status;
    this.headers = receivedHeaders(exchange.response);
    onAbort(exchange.clientGone.signal, (reason) =>
      this.#finish((receiver) => receiver.onError(asError(reason))),
    );
    this.#start(exchange.response);
  }

  receive(receiver: Receiver): void {
    this.#receiver = receiver;
    this.#deliverSoon();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#deliverSoon();
  }

  close(): void {
    this.#receiver = undefined;
    this.#end = () => {};
    this.#exchange.release();
    this.#exchange.clientGone.abort(new Error("closed by its reader"));
  }

  write(chunk: Buffer): boolean {
    this.#waiting.push(chunk);
    this.#deliverSoon();
    return !this.#paused;
  }

  onDrain(listener: () => void): void {
    this.#drained = listener;
  }

  end(): void {
    this.#finish((receiver) => receiver.onEnd());
  }

  cut(): void {
    this.#finish((receiver) => receiver.onError(this.#exchange.cutError()));
  }

  #start(response: ServerResponse): void {
    if (response.type === "stream") return response.start(this);
    for (const chunk of bodyChunks(response.body)) this.write(chunk);
    this.end();
  }

  #deliverSoon(): void {
    if (this.#delivering) return;
    this.#delivering = true;
    queueMicrotask(() => {
      this.#delivering = false;
      this.#deliver();
    });
  }

  #deliver(): void {
    while (this.#receiver && !this.#paused && this.#waiting.length > 0) {
      this.#notify(this.#receiver, Buffer.concat(this.#waiting.splice(0)));
    }
    const receiver = this.#receiver;
    if (!receiver || this.#paused) return;
    if (!this.#end) return this.#drained?.();
    this.#receiver = undefined;
    this.#exchange.release();
    this.#end(receiver);
  }

  /**
   * Passes a chunk to the receiver. An error that the receiver throws ends the response and is passed to its `onError`.
   */
  #notify(receiver: Receiver, chunk: Buffer): void {
    try {
      receiver.onChunk(chunk);
    } catch (thrown) {
      this.#waiting = [];
      this.#end = () => receiver.onError(asError(thrown));
      this.#exchange.clientGone.abort(thrown);
    }
  }

  /** Ends the body: the buffered chunks are delivered first, then `end`. */
  #finish(end: (receiver: Receiver) => void): void {
    this.#end ??= end;
    this.#deliverSoon();
  }
}
