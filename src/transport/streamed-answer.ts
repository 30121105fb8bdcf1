import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { asError, follow } from "../base/index.ts";
import type { Line } from "./line.ts";
import type { ApiRequest, OpenResponse, Receiver, ResponseHeaders } from "./transport.ts";
import { refusalOf } from "./whole-answer.ts";

export interface StreamedAnswerOptions {
  readonly signal: AbortSignal | undefined;
  /** Asked before anything is sent. */
  readonly permit: ApiRequest["permit"];
  /** Makes undici's errors ours. */
  readonly describe: (error: Error) => Error;
}

/**
 * One answer of undici's whose body is handed on as it comes, in the memory that it was read into.
 *
 * While there is no receiver, or it has paused, the line is held: what undici had read by then waits here, in order,
 * and the end with it.
 */
export class StreamedAnswer implements Dispatcher.DispatchHandler, OpenResponse {
  readonly head: Promise<OpenResponse>;
  status = 0;
  headers: ResponseHeaders = {};
  readonly #describe: (error: Error) => Error;
  readonly #permit: ApiRequest["permit"];
  /** The hold on the caller's signal, let go of when all is over. */
  readonly #outer: Disposable;
  #line: Line | undefined;
  /** Whether the line is ours: from when the request is sent until the answer is whole. */
  #running = false;
  #state: State = { phase: "opening" };
  #resolve!: (response: OpenResponse) => void; // both are set by the promise's executor, which runs at once
  #reject!: (error: Error) => void;

  /** `options.signal` has not aborted yet. */
  constructor(options: StreamedAnswerOptions) {
    this.#describe = options.describe;
    this.#permit = options.permit;
    this.head = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#outer = follow(options.signal, (reason) => this.#break(asError(reason)));
  }

  receive(receiver: Receiver): void {
    if (this.#state.phase !== "body" || this.#state.receiver) return;
    this.#state.receiver = receiver;
    this.#flowSoon();
  }

  pause(): void {
    if (this.#state.phase !== "body") return;
    this.#state.paused = true;
    if (this.#running) this.#line?.hold();
  }

  resume(): void {
    if (this.#state.phase !== "body") return;
    this.#state.paused = false;
    this.#flowSoon();
  }

  close(): void {
    this.#over();
    this.#cut();
  }

  readonly onLine = (line: Line): void => {
    this.#line = line;
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const refusal = refusalOf(this.#permit);
    if (refusal && this.#state.phase !== "over") this.#refuse(refusal);
    if (this.#state.phase === "over") controller.abort(refusal ?? new Error("closed before it began"));
    else {
      this.#running = true;
      this.#line?.awaitHead();
    }
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || this.#state.phase !== "opening") return;
    this.status = status;
    this.headers = headers;
    this.#state = { phase: "body", receiver: undefined, paused: false, waiting: [], end: undefined };
    this.#line?.hold();
    const inChunks = status === 200 && headers["transfer-encoding"] === "chunked";
    if (!inChunks || !this.#line?.tap((body) => this.#take(body))) this.#line?.lend(true);
    this.#resolve(this);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#take(chunk);
  }

  #take(chunk: Buffer): void {
    const state = this.#state;
    if (state.phase !== "body") return;
    if (!state.receiver || state.paused)
      state.waiting.push(Buffer.from(chunk)); // it is only lent
    else this.#hand(state.receiver, chunk);
  }

  onResponseEnd(): void {
    this.#running = false;
    this.#line?.lend(false);
    queueMicrotask(() => this.#line?.release()); // for the next one
    this.#end((receiver) => receiver.onEnd());
  }

  onResponseError(_: Dispatcher.DispatchController, cause: Error): void {
    this.#running = false;
    if (this.#state.phase === "over") return;
    const error = this.#describe(cause);
    if (this.#state.phase === "opening") this.#refuse(error);
    else this.#end((receiver) => receiver.onError(error));
  }

  /** Outside undici's handlers: bytes may only be let through there, and a receiver gets none before `receive` returns. */
  #flowSoon(): void {
    queueMicrotask(() => this.#flow());
  }

  #flow(): void {
    const state = this.#state;
    if (state.phase !== "body") return;
    while (state === this.#state && state.receiver && !state.paused) {
      const chunk = state.waiting.shift();
      if (chunk) this.#hand(state.receiver, chunk);
      else if (!state.end) return this.#line?.release();
      else {
        this.#over();
        state.end(state.receiver);
      }
    }
  }

  /** What a receiver throws is a reason to stop, which it is told. */
  #hand(receiver: Receiver, chunk: Buffer): void {
    try {
      receiver.onChunk(chunk);
    } catch (thrown) {
      this.#break(asError(thrown));
    }
  }

  /** No more comes from the network. */
  #end(end: End): void {
    if (this.#state.phase !== "body" || this.#state.end) return;
    this.#state.end = end;
    this.#flow();
  }

  /** Ends it from this side, and tells whoever waits for the head or takes the body, at once. */
  #break(reason: Error): void {
    const state = this.#state;
    if (state.phase === "opening") this.#refuse(reason);
    if (state.phase === "body") {
      this.#state = { ...state, paused: false, waiting: [], end: (receiver) => receiver.onError(reason) };
      this.#flow();
    }
    this.#cut();
  }

  #cut(): void {
    if (this.#running) this.#line?.cut();
    this.#running = false;
  }

  #refuse(error: Error): void {
    this.#over();
    this.#reject(error);
  }

  #over(): void {
    this.#state = { phase: "over" };
    this.#outer[Symbol.dispose]();
  }
}

type State =
  /** No head yet. */
  | { readonly phase: "opening" }
  /** Head there. The body goes to the receiver unless there is none or it has paused; then it waits. */
  | {
      readonly phase: "body";
      receiver: Receiver | undefined;
      paused: boolean;
      readonly waiting: Buffer[];
      /** How it ended: the last the receiver is told. */
      end: End | undefined;
    }
  /** Its reader has been told the end, or wants to hear no more. */
  | { readonly phase: "over" };

type End = (receiver: Receiver) => void;
