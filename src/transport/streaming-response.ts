import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { asError, follow } from "../base/index.ts";
import { beforeSendError } from "./buffered-response.ts";
import type { ConnectionTap } from "./connection-tap.ts";
import type { ApiRequest, OpenResponse, Receiver, ResponseHeaders } from "./transport.ts";

export interface StreamingResponseOptions {
  readonly signal: AbortSignal | undefined;
  /** Called before anything is sent. If it throws, nothing is sent. */
  readonly beforeSend: ApiRequest["beforeSend"];
  /** Converts an error of undici to one that names the request. */
  readonly describe: (error: Error) => Error;
}

/**
 * A response from undici whose body is delivered chunk by chunk, in the buffer that the socket read it into.
 *
 * While there is no receiver, or the receiver has paused, the connection is paused as well. Chunks that undici had already read,
 * and the end of the body, wait here in order.
 */
export class StreamingResponse implements Dispatcher.DispatchHandler, OpenResponse {
  readonly head: Promise<OpenResponse>;
  status = 0;
  headers: ResponseHeaders = {};
  readonly #describe: (error: Error) => Error;
  readonly #beforeSend: ApiRequest["beforeSend"];
  /** The listener on the caller's signal, removed when the response has ended. */
  readonly #signalHandler: Disposable;
  #tap: ConnectionTap | undefined;
  /** True from when the request is sent until the response is complete. Only then this response may use the connection. */
  #running = false;
  #state: State = { phase: "opening" };
  #resolve!: (response: OpenResponse) => void; // the promise's executor sets both, and runs at once
  #reject!: (error: Error) => void;

  /** Requires that `options.signal` has not aborted yet. */
  constructor(options: StreamingResponseOptions) {
    this.#describe = options.describe;
    this.#beforeSend = options.beforeSend;
    this.head = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#signalHandler = follow(options.signal, (reason) => this.#abort(asError(reason)));
  }

  receive(receiver: Receiver): void {
    if (this.#state.phase !== "body" || this.#state.receiver) return;
    this.#state.receiver = receiver;
    this.#flushSoon();
  }

  pause(): void {
    if (this.#state.phase !== "body") return;
    this.#state.paused = true;
    if (this.#running) this.#tap?.pause();
  }

  resume(): void {
    if (this.#state.phase !== "body") return;
    this.#state.paused = false;
    this.#flushSoon();
  }

  close(): void {
    this.#finish();
    this.#disconnect();
  }

  readonly onTap = (tap: ConnectionTap): void => {
    this.#tap = tap;
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const refusal = beforeSendError(this.#beforeSend);
    if (refusal && this.#state.phase !== "ended") this.#refuse(refusal);
    if (this.#state.phase === "ended") controller.abort(refusal ?? new Error("closed before it was sent"));
    else {
      this.#running = true;
      this.#tap?.awaitHead();
    }
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || this.#state.phase !== "opening") return;
    this.status = status;
    this.headers = headers;
    this.#state = { phase: "body", receiver: undefined, paused: false, waiting: [], end: undefined };
    this.#tap?.pause();
    const inChunks = status === 200 && headers["transfer-encoding"] === "chunked";
    if (!inChunks || !this.#tap?.tapBody((body) => this.#push(body))) this.#tap?.reuseReadBuffer(true);
    this.#resolve(this);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#push(chunk);
  }

  #push(chunk: Buffer): void {
    const state = this.#state;
    if (state.phase !== "body") return;
    if (!state.receiver || state.paused)
      state.waiting.push(Buffer.from(chunk)); // the next read overwrites `chunk`
    else this.#deliver(state.receiver, chunk);
  }

  onResponseEnd(): void {
    this.#running = false;
    this.#tap?.reuseReadBuffer(false);
    queueMicrotask(() => this.#tap?.resume()); // the next request on this connection needs it to read
    this.#end((receiver) => receiver.onEnd());
  }

  onResponseError(_: Dispatcher.DispatchController, cause: Error): void {
    this.#running = false;
    if (this.#state.phase === "ended") return;
    const error = this.#describe(cause);
    if (this.#state.phase === "opening") this.#refuse(error);
    else this.#end((receiver) => receiver.onError(error));
  }

  /** Flushes in a microtask: undici's handlers must not resume the tap, and a receiver gets nothing before `receive` returns. */
  #flushSoon(): void {
    queueMicrotask(() => this.#flush());
  }

  #flush(): void {
    const state = this.#state;
    if (state.phase !== "body") return;
    while (state === this.#state && state.receiver && !state.paused) {
      const chunk = state.waiting.shift();
      if (chunk) this.#deliver(state.receiver, chunk);
      else if (!state.end) return this.#tap?.resume();
      else {
        this.#finish();
        state.end(state.receiver);
      }
    }
  }

  /** Delivers a chunk. If the receiver throws, the response ends, and the receiver gets its error back through `onError`. */
  #deliver(receiver: Receiver, chunk: Buffer): void {
    try {
      receiver.onChunk(chunk);
    } catch (thrown) {
      this.#abort(asError(thrown));
    }
  }

  /** Records the end of the body, to be delivered after the waiting chunks. */
  #end(end: End): void {
    if (this.#state.phase !== "body" || this.#state.end) return;
    this.#state.end = end;
    this.#flush();
  }

  /** Ends the response with an error, which rejects `head` or reaches the receiver at once. Waiting chunks are dropped. */
  #abort(reason: Error): void {
    const state = this.#state;
    if (state.phase === "opening") this.#refuse(reason);
    if (state.phase === "body") {
      this.#state = { ...state, paused: false, waiting: [], end: (receiver) => receiver.onError(reason) };
      this.#flush();
    }
    this.#disconnect();
  }

  #disconnect(): void {
    if (this.#running) this.#tap?.destroy();
    this.#running = false;
  }

  #refuse(error: Error): void {
    this.#finish();
    this.#reject(error);
  }

  #finish(): void {
    this.#state = { phase: "ended" };
    this.#signalHandler[Symbol.dispose]();
  }
}

type State =
  /** The head has not arrived. */
  | { readonly phase: "opening" }
  /** The head has arrived. Chunks go to the receiver. Without a receiver, or while it is paused, they wait. */
  | {
      readonly phase: "body";
      receiver: Receiver | undefined;
      paused: boolean;
      readonly waiting: Buffer[];
      /** Delivers the end of the body, or its error, after the waiting chunks. */
      end: End | undefined;
    }
  /** The end was delivered, or the reader closed the response. Nothing is delivered after this. */
  | { readonly phase: "ended" };

type End = (receiver: Receiver) => void;
