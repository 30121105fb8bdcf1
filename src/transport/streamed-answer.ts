import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { asError, follow } from "../base/index.ts";
import type { OpenResponse, Receiver, ResponseHeaders } from "./transport.ts";

export interface StreamedAnswerOptions {
  readonly signal: AbortSignal | undefined;
  /** Makes undici's errors ours. */
  readonly describe: (error: Error) => Error;
}

/**
 * One answer of undici's whose body is handed on as it comes, in undici's own buffers.
 * The connection is paused between the head and `receive`.
 */
export class StreamedAnswer implements Dispatcher.DispatchHandler, OpenResponse {
  readonly head: Promise<OpenResponse>;
  status = 0;
  headers: ResponseHeaders = {};
  readonly #describe: (error: Error) => Error;
  /** The hold on the caller's signal, let go of when all is over. */
  readonly #outer: Disposable | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #state: State = { phase: "opening" };
  #resolve!: (response: OpenResponse) => void; // both are set by the promise's executor, which runs at once
  #reject!: (error: Error) => void;

  constructor(options: StreamedAnswerOptions) {
    this.#describe = options.describe;
    this.head = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#outer = follow(options.signal, (reason) => this.#abort(asError(reason)));
  }

  receive(receiver: Receiver): void {
    const state = this.#state;
    if (state.phase === "ended") return state.tell(receiver);
    if (state.phase !== "waiting") return;
    this.#state = { phase: "flowing", receiver };
    this.#controller?.resume();
  }

  pause(): void {
    if (this.#state.phase === "flowing") this.#controller?.pause();
  }

  resume(): void {
    if (this.#state.phase === "flowing") this.#controller?.resume();
  }

  close(): void {
    if (this.#state.phase === "closed") return;
    this.#end({ phase: "closed" });
    this.#controller?.abort(closedByReader());
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#state.phase === "closed") controller.abort(closedByReader());
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200 || this.#state.phase !== "opening") return;
    this.status = status;
    this.headers = headers;
    this.#state = { phase: "waiting" };
    controller.pause();
    this.#resolve(this);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#state.phase === "flowing") this.#state.receiver.onChunk(chunk);
  }

  onResponseEnd(): void {
    const state = this.#state;
    if (state.phase === "closed") return;
    this.#end({ phase: "ended", tell: (receiver) => receiver.onEnd() });
    if (state.phase === "flowing") state.receiver.onEnd();
  }

  onResponseError(_: Dispatcher.DispatchController, cause: Error): void {
    const state = this.#state;
    if (state.phase === "closed") return;
    const error = this.#describe(cause);
    this.#end({ phase: "ended", tell: (receiver) => receiver.onError(error) });
    this.#tellFailure(state, error);
  }

  #end(state: State): void {
    this.#state = state;
    this.#outer?.[Symbol.dispose](); // not there yet when the signal had aborted before it was followed
  }

  /** The caller's signal ended it: whoever waits for the head or takes the body is told the reason. */
  #abort(reason: Error): void {
    const state = this.#state;
    this.close();
    this.#tellFailure(state, reason);
  }

  #tellFailure(before: State, error: Error): void {
    if (before.phase === "opening") this.#reject(error);
    if (before.phase === "flowing") before.receiver.onError(error);
  }
}

type State =
  /** No head yet. */
  | { readonly phase: "opening" }
  /** Head there, body held back. */
  | { readonly phase: "waiting" }
  | { readonly phase: "flowing"; readonly receiver: Receiver }
  /** Over, one way or the other: a receiver that comes late is told. */
  | { readonly phase: "ended"; readonly tell: (receiver: Receiver) => void }
  /** Over because its reader said so: nobody is told anything. */
  | { readonly phase: "closed" };

const closedByReader = (): Error => new Error("closed by its reader");
