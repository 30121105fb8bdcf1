import type { Socket } from "node:net";
import { asError, type Clock, deferred, onAbort, realClock, type Timer } from "../../base/index.ts";
import type { ApiRequest, OpenResponse, Receiver, ResponseHeaders } from "../transport.ts";
import { type BodyDecoder, bodyDecoder } from "./body-decoder.ts";
import { ResponseHeadReader } from "./response-head.ts";

/** Opens a socket whose bytes go to a reader. */
export interface StreamDialer {
  /**
   * Connects. `read` gets the bytes of the socket, which are valid until it returns, and returns false to pause the
   * socket. `done` gets the connected socket or an error.
   * @returns a function that cancels the connection. `done` is not called after that.
   */
  dial(read: SocketReader, done: (error: Error | undefined, socket: Socket | undefined) => void): () => void;
}

export type SocketReader = (bytes: Buffer) => boolean;

export interface StreamOptions {
  readonly dialer: StreamDialer;
  /** The bytes of the request, with `connection: close`. */
  readonly request: Buffer;
  /** The caller's signal, which has not aborted yet. */
  readonly signal: AbortSignal | undefined;
  /** Called right before the request is sent. If it throws, nothing is sent. */
  readonly beforeSend: ApiRequest["beforeSend"];
  /** Time from sending the request to the head of the response. The body may be silent for any time. */
  readonly headTimeoutMs: number;
  /** Converts an error of the connection to the error that callers get. */
  readonly describe: (error: Error) => Error;
  /** Called once, when the response has ended or was closed. */
  readonly onClose?: (() => void) | undefined;
  readonly clock?: Clock | undefined;
}

/** Sends a request on its own connection. Resolves with the head of the response; the body follows. */
export function openStream(options: StreamOptions): Promise<OpenResponse> {
  return new StreamConnection(options).head;
}

/**
 * One request and its streaming response on one connection. The connection is closed after the response.
 *
 *     connecting ─▶ head ─▶ body ─▶ closed
 *
 * In "body", the socket is paused unless there is a receiver that has not paused. Bytes that were read before the pause
 * wait in `waiting`. Each state may change to "closed": by an error, by the signal, or by `close`.
 */
class StreamConnection implements OpenResponse {
  status = 0;
  headers: ResponseHeaders = {};
  readonly #options: StreamOptions;
  readonly #headReader = new ResponseHeadReader();
  readonly #abort: Disposable;
  #state: State = { phase: "connecting" };
  #socket: Socket | undefined;
  #giveUp: (() => void) | undefined;
  #headTimer: Timer | undefined;
  readonly #head = deferred<OpenResponse>();

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#abort = onAbort(options.signal, (reason) => this.#fail(asError(reason)));
    this.#giveUp = options.dialer.dial(
      (bytes) => this.#read(bytes),
      (error, socket) => this.#connected(error, socket),
    );
  }

  get head(): Promise<OpenResponse> {
    return this.#head.promise;
  }

  receive(receiver: Receiver): void {
    if (this.#state.phase !== "body" || this.#state.receiver) return;
    this.#state.receiver = receiver;
    this.#flowSoon();
  }

  pause(): void {
    if (this.#state.phase !== "body") return;
    this.#state.paused = true;
    this.#socket?.pause();
  }

  resume(): void {
    if (this.#state.phase !== "body") return;
    this.#state.paused = false;
    this.#flowSoon();
  }

  close(): void {
    this.#close();
  }

  #connected(error: Error | undefined, socket: Socket | undefined): void {
    this.#giveUp = undefined;
    if (!socket) return this.#fail(this.#options.describe(error ?? new Error("no connection")));
    this.#socket = socket;
    socket.on("error", (cause) => this.#broken(cause));
    socket.on("end", () => this.#ended());
    socket.on("close", () => this.#broken(closedByServer()));
    this.#send(socket);
  }

  #send(socket: Socket): void {
    try {
      this.#options.beforeSend?.();
    } catch (refusal) {
      return this.#fail(asError(refusal));
    }
    const { clock = realClock, headTimeoutMs, request } = this.#options;
    this.#state = { phase: "head" };
    this.#headTimer = clock.timer(headTimeoutMs, () => this.#broken(headTimeout()));
    socket.write(request);
    socket.resume();
  }

  /** Reads bytes of the response. @returns false to pause the socket */
  #read(bytes: Buffer): boolean {
    try {
      if (this.#state.phase === "head") this.#readHead(bytes);
      else if (this.#state.phase === "body") this.#readBody(this.#state, bytes);
    } catch (error) {
      this.#broken(asError(error));
    }
    return this.#flowing;
  }

  get #flowing(): boolean {
    if (this.#state.phase === "head") return true;
    return this.#state.phase === "body" && !this.#state.paused && this.#state.receiver !== undefined;
  }

  #readHead(bytes: Buffer): void {
    const read = this.#headReader.read(bytes);
    if (!read) return;
    this.#headTimer?.cancel();
    this.status = read.head.status;
    this.headers = read.head.headers;
    const decoder = bodyDecoder(read.head.framing);
    const state: Body = {
      phase: "body",
      decoder,
      receiver: undefined,
      paused: false,
      waiting: [],
      end: undefined,
    };
    this.#state = state;
    this.#head.resolve(this);
    this.#readBody(state, bytes.subarray(read.end));
  }

  #readBody(state: Body, bytes: Buffer): void {
    if (state.end) return;
    const complete = state.decoder.decode(bytes, (body) => this.#deliver(state, body));
    if (complete && state === this.#state) this.#finish(state, (receiver) => receiver.onEnd());
  }

  /** Passes bytes to the receiver, or copies them if it is not ready: the socket reuses their memory. */
  #deliver(state: Body, body: Buffer): void {
    if (state.receiver && !state.paused && state.waiting.length === 0) this.#pass(state.receiver, body);
    else state.waiting.push(Buffer.from(body));
  }

  #pass(receiver: Receiver, body: Buffer): void {
    try {
      receiver.onChunk(body);
    } catch (thrown) {
      this.#fail(asError(thrown));
    }
  }

  /** Handles the end of the connection: the server sends no more bytes. */
  #ended(): void {
    const state = this.#state;
    if (state.phase !== "body") return this.#broken(closedByServer());
    if (state.decoder.endsWithConnection) this.#finish(state, (receiver) => receiver.onEnd());
    else this.#broken(cutShort());
  }

  /** Handles a failure of the connection. Bytes that were received before are delivered first. */
  #broken(cause: Error): void {
    const state = this.#state;
    if (state.phase === "closed" || (state.phase === "body" && state.end)) return;
    const error = this.#options.describe(cause);
    if (state.phase === "body") this.#finish(state, (receiver) => receiver.onError(error));
    else this.#fail(error);
  }

  /** Ends the body. The receiver gets `end` after the waiting bytes. */
  #finish(state: Body, end: End): void {
    state.end ??= end;
    this.#socket?.destroy();
    this.#flowSoon();
  }

  /** Ends the response from this side. The caller or the receiver gets the reason at once. */
  #fail(reason: Error): void {
    const state = this.#state;
    if (state.phase === "body" && !state.receiver) return this.#failLater(state, reason);
    if (state.phase === "closed") return;
    this.#close();
    if (state.phase === "body") state.receiver?.onError(reason);
    this.#head.reject(reason); // no effect after the head
  }

  /** Keeps the reason for a later receiver. */
  #failLater(state: Body, reason: Error): void {
    state.waiting.length = 0;
    state.end = (receiver) => receiver.onError(reason);
    this.#socket?.destroy();
  }

  /** Delivers later: a receiver gets nothing before `receive` or `resume` has returned. */
  #flowSoon(): void {
    queueMicrotask(() => this.#flow());
  }

  #flow(): void {
    const state = this.#state;
    if (state.phase !== "body") return;
    while (state === this.#state && state.receiver && !state.paused) {
      const body = state.waiting.shift();
      if (body) this.#pass(state.receiver, body);
      else if (state.end) {
        this.#close();
        return state.end(state.receiver);
      } else return void this.#socket?.resume();
    }
  }

  #close(): void {
    if (this.#state.phase === "closed") return;
    this.#state = { phase: "closed" };
    this.#options.onClose?.();
    this.#headTimer?.cancel();
    this.#abort[Symbol.dispose]();
    this.#giveUp?.();
    this.#socket?.destroy();
  }
}

interface Body {
  readonly phase: "body";
  readonly decoder: BodyDecoder;
  receiver: Receiver | undefined;
  paused: boolean;
  /** Copies of body bytes that are not delivered yet. */
  readonly waiting: Buffer[];
  /** Delivers the end of the response to the receiver, after the waiting bytes. */
  end: End | undefined;
}

type State = { readonly phase: "connecting" | "head" | "closed" } | Body;
type End = (receiver: Receiver) => void;

const closedByServer = (): Error => coded("UND_ERR_SOCKET", "other side closed");
const cutShort = (): Error =>
  coded("HPE_INVALID_EOF_STATE", "the server closed the connection before the end of the body");
const headTimeout = (): Error => coded("UND_ERR_HEADERS_TIMEOUT", "no response in time");

function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
